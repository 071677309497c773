// A headframe: the tower and wheel above a mine shaft.

export function BrandMark() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 21 10.2 8.5M20 21 13.8 8.5M6.6 15.8h10.8M8 12.8l8.2 3M16 12.8l-8.2 3" />
      <circle cx="12" cy="6" r="3.2" />
      <path d="M12 2.8v6.4M8.8 6h6.4" strokeWidth="1" />
    </svg>
  )
}
