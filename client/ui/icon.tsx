import { type Html, html } from './html.ts'

/** Line drawings on a 24 px grid; stroke and colour come from the text around them. */
const drawings = {
  chat: 'M21 12a8 8 0 0 1-11.6 7.1L4 20l1-4.6A8 8 0 1 1 21 12Z',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12Zm9 15-4.5-4.5',
  pencil: 'm4 20 1-4L16 5l3 3L8 19Zm10-13 3 3',
  copy: 'M11 9h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM5 15V6a2 2 0 0 1 2-2h8',
  tick: 'm4 13 5 5L20 7',
  ticks: 'm2 13 4 4L16 7M11 16l1 1L22 7',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7v5l3 2',
  calendar: 'M6 5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Zm-2 5h16M8 3v4M16 3v4',
  bot: 'M8 8h8a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-5a3 3 0 0 1 3-3ZM12 8V4M9 13v1M15 13v1',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 20c1-4 4-6 8-6s7 2 8 6',
  hand: 'M7 12V6.5a1.5 1.5 0 0 1 3 0V11m0-.5V4.5a1.5 1.5 0 0 1 3 0V11m0-5a1.5 1.5 0 0 1 3 0v6m0-3.500a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1c-2 0-3.5-1-4.5-2.500L4.5 14.500c-.8-1.3 1-2.5 2-1.300L7 14',
  mic: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11a7 7 0 0 0 14 0M12 18v3',
  play: 'M8 5.500v13l10.500-6.500Z',
  pause: 'M9 6v12M15 6v12',
  stop: 'M7 7h10v10H7Z',
  image: 'M6 5h12a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Zm-1 12 5-5 4 4 2-2 3 3M15 9h.1',
  video: 'M5 6h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2Zm11 5 5-3v8l-5-3',
  file: 'M7 3h7l5 5v11a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm7 0v5h5',
  pin: 'M12 21s7-6.2 7-11a7 7 0 1 0-14 0c0 4.8 7 11 7 11Zm0-8.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  card: 'M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm4 4.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM5.5 17c.5-2 1.8-3 3.5-3s3 1 3.5 3M15 10h3M15 14h3',
  cart: 'M4 5h2l2 10h9l2-7H7M9 19.500h.1M16 19.500h.1',
  form: 'M6 3h12a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm2 5h8M8 12h8M8 16h5',
  sticker:
    'M5 4h14a1 1 0 0 1 1 1v9l-6 6H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1Zm9 16v-5a1 1 0 0 1 1-1h5M9 9.500v.5M15 9.500v.5',
  choice: 'M5 7h14M5 12h9M5 17h6M16 16l2 2 4-4',
  warn: 'M12 4 2.5 20h19ZM12 10v4M12 17v.2',
  info: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v5M12 8v.2',
  archive: 'M4 8h16v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1ZM3 4h18v4H3ZM10 12h4',
  unarchive: 'M4 8h16v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1ZM3 4h18v4H3ZM12 18v-6m-2.5 2.500L12 12l2.5 2.5',
  back: 'M19 12H5m6-7-7 7 7 7',
  clip: 'm20 11-8.200 8.200a5 5 0 0 1-7-7L13.300 3.700a3.300 3.300 0 0 1 4.700 4.700l-8.300 8.300a1.700 1.700 0 0 1-2.400-2.400L14.800 6.800',
  close: 'M6 6l12 12M18 6 6 18',
  send: 'M4 12 20 4l-5 16-3.5-6.500Z',
  smile:
    'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM8.500 14c.9 1.500 2 2.200 3.500 2.200s2.600-.7 3.500-2.200M9 9.300v.5M15 9.300v.5',
  reply: 'M9 7 4 12l5 5m-5-5h9a7 7 0 0 1 7 7',
  forward: 'm15 7 5 5-5 5m5-5h-9a7 7 0 0 0-7 7',
  down: 'M12 5v14m-6-6 6 6 6-6',
  chevron: 'm6 9 6 6 6-6',
  unread: 'M4 6h16v12H4Zm0 .5 8 6.5 8-6.5',
  download: 'M12 4v11m-5-4.5 5 4.5 5-4.500M5 20h14',
  upload: 'M12 15V4m-5 4.500 5-4.500 5 4.500M5 20h14',
  retry: 'M20 11a8 8 0 1 0-.5 4M20 4v7h-7',
  lock: 'M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Zm2 0V8a4 4 0 0 1 8 0v3',
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm3 15h2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  exit: 'M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4m4-12 5 4-5 4m5-4H9',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M4.2 4.200l1.4 1.400M18.4 18.400l1.4 1.400M2 12h2M20 12h2M4.2 19.800l1.4-1.400M18.4 5.600l1.4-1.4',
  moon: 'M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500Z',
  screen: 'M4 5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Zm5 15h6m-3-3v3',
  globe:
    'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.500c2.5 2.5 3.5 5.5 3.5 8.500s-1 6-3.5 8.500c-2.5-2.5-3.5-5.5-3.5-8.500s1-6 3.5-8.500Z',
  plus: 'M12 5v14M5 12h14',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0ZM12 17v4',
  flow: 'M5 4h5v5H5ZM14 15h5v5h-5ZM7.5 9v5.500a3 3 0 0 0 3 3H14',
  chart: 'M4 20h16M7 20v-7M12 20V5M17 20v-10',
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM12 3v2.500M12 18.500V21M3 12h2.500M18.500 12H21M5.600 5.600l1.800 1.800M16.600 16.600l1.800 1.800M5.600 18.400l1.800-1.800M16.600 7.400l1.800-1.800',
  building: 'M5 21V5a1 1 0 0 1 1-1h8a1 1 0 0 1 1 1v16M15 10h4v11M3 21h18M8.500 8h3M8.500 12h3M8.500 16h3',
  panel: 'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM9.500 4v16',
  updown: 'm8 9 4-4 4 4M8 15l4 4 4-4',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5',
  bell: 'M6 17h12l-1.5-2.500V10a4.5 4.5 0 0 0-9 0v4.500ZM10 20h4',
  sound: 'M4 9.500v5h3.500L12 18.500v-13L7.500 9.500ZM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11',
  soundOff: 'M4 9.500v5h3.500L12 18.500v-13L7.500 9.500ZM16 9.500l5 5m0-5-5 5',
  bellOff: 'M6 17h10M7.500 14.500V10c0-.7.2-1.4.5-2M10 6a4.5 4.5 0 0 1 6.500 4v3M10 20h4M4 4l16 16',
  filter: 'M4 6h16M7 12h10M10 18h4',
  tag: 'M4 5h8l8 8-7 7-9-9ZM8.500 9.200h.1',
  slash: 'M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm8 4-4 8',
  more: 'M5 12h.1M12 12h.1M19 12h.1',
  expand: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  shrink: 'M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5',
} as const

export type IconName = keyof typeof drawings

const symbols = (Object.keys(drawings) as IconName[])
  .map(name => `<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${drawings[name]}"/></symbol>`)
  .join('')

/** Once per document: rows then only point at a drawing. A constant string, since rendering it would cost ninety elements. */
export const IconSprite = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the constants above
  <svg className="icon-sprite" aria-hidden="true" width="0" height="0" dangerouslySetInnerHTML={{ __html: symbols }} />
)

/** What stands inside an icon's `svg`, made once: as an element it would be walked for each of a page's hundred icons. */
const uses = Object.fromEntries(
  (Object.keys(drawings) as IconName[]).map(name => [name, html`<use href="#i-${name}"></use>`]),
) as Record<IconName, Html>

/** Decoration: the words beside it or the control's label say what it means. */
export const Icon = ({ name, className }: { name: IconName; className?: string }) => (
  <svg
    className={className ? `icon ${className}` : 'icon'}
    aria-hidden="true"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the constants above
    dangerouslySetInnerHTML={uses[name]}
  />
)
