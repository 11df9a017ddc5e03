/** Icons that only these pages need, so that other pages do not load them. */
const drawings = {
  pencil: 'm4 20 1-4.5L16.5 4 20 7.5 8.5 19ZM14 6.5l3.5 3.5',
  pause: 'M9 6v12M15 6v12',
  ban: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM6 6l12 12',
  swap: 'M4 8h15m-4-4 4 4-4 4M20 16H5m4-4-4 4 4 4',
  eye: 'M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12Zm9.5-2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  external: 'M10 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-4M14 4h6v6M20 4l-9 9',
  title: 'M6 6V4.5h12V6M12 4.5V19M9.5 19h5',
  play: 'M9 6v12l9-6Z',
  key: 'M14.5 4a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM10.5 13.5 4 20h4v-3',
  up: 'M12 19V5m-6 6 6-6 6 6',
  call: 'M6 3h3l2 5-2.5 1.5a12 12 0 0 0 6 6L16 13l5 2v3a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2Z',
  gift: 'M4 11h16v9H4ZM3 7h18v4H3ZM12 7v13M12 7c-5 0-5-4-3-4s3 4 3 4Zm0 0c5 0 5-4 3-4s-3 4-3 4Z',
  cards: 'M4 6h9a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1ZM17 6v12M20.5 8v8',
} as const

export type MarkName = keyof typeof drawings

export const Mark = ({ name, className = '' }: { name: MarkName; className?: string }) => (
  <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)
