import type { View } from "../views";

export const curveViews: Record<string, View> = {};
