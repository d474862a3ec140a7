// How the page is laid out.
export interface LayoutState {
  side: number; // rem that the controls beside the charts are wide
  folded: boolean; // away
}

export const layoutDefaults: LayoutState = { side: 14, folded: false };
