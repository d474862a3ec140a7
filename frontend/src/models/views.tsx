import type { View } from "../views";

export const modelsViews: Record<string, View> = {};
