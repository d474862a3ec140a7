import type { View } from "../views";

export const matrixViews: Record<string, View> = {};
