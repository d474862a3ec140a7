import type { View } from "../views";

export const calibrationViews: Record<string, View> = {};
