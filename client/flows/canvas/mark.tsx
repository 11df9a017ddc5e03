/** Icons that only these pages use, loaded with them. */
const drawings = {
  undo: 'M9 7 4 12l5 5m-5-5h10a6 6 0 0 1 0 12h-2',
  redo: 'm15 7 5 5-5 5m5-5H10a6 6 0 0 0 0 12h2',
  tidy: 'M4 5h6v5H4ZM14 4h6v4h-6ZM14 11h6v4h-6ZM14 18h6v3h-6ZM10 7.500h2v12h2M12 6h2M12 13h2',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  play: 'M8 5v14l11-7z',
  column: 'M5 3v18M9 5h10v5H9ZM9 14h7v5H9Z',
  row: 'M3 5h18M5 9h5v10H5ZM14 9h5v7h-5Z',
  grip: 'M9 5h.010M15 5h.010M9 12h.010M15 12h.010M9 19h.010M15 19h.010',
  again: 'M4 12a8 8 0 1 0 2.500-5.800M4 4v4h4',
} as const

export const Mark = ({ name }: { readonly name: keyof typeof drawings }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)
