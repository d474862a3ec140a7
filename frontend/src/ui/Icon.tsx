// Small line drawings for buttons; the button has the name.
const PATHS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.500-1.500",
  close: "M6 6l12 12M18 6 6 18",
  columns: "M4 5h16v14H4zM9.500 5v14M14.500 5v14",
  zoom: "M4 10.5a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M15.500 15.500 20 20M10.500 7.500v6M7.500 10.500h6",
  select: "M7 4v16M17 4v16M10 12h4M11.500 10l-2 2 2 2M12.500 10l2 2-2 2",
  larger: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
  smaller: "M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5",
  panel: "M4 5h16v14H4zM10 5v14",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
