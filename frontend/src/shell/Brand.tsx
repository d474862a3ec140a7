// The name and its mark: a plumb line.
export const Brand = () => (
  <span class="brand">
    <svg viewBox="0 0 16 20" aria-hidden="true">
      <path d="M8 0v8" stroke-width="1.5" />
      <path d="M4 8h8l-1 5-3 6-3-6z" stroke="none" />
    </svg>
    Plumbline
  </span>
);
