// Every icon of the app, drawn with one stroke width on a grid of 24.

const PATHS = {
  // navigation
  today: 'M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4M8.5 15.5l2.5 2.5 4.5-5',
  board: 'M4 5h5v14H4zM9.5 5h5v9h-5zM15 5h5v6h-5z',
  wallet: 'M4 7h14a2 2 0 012 2v8a2 2 0 01-2 2H4zM4 7l11-3v3M16 13h.01',
  tasks: 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M11 6.5h9M11 12.5h9M11 18.5h9',
  map: 'M9 4L3 6.5v13L9 17l6 2.5 6-2.5V4l-6 2.5zM9 4v13M15 6.5v13',
  import: 'M12 4v10M8 10.5l4 4 4-4M4 17v3h16v-3',
  people: 'M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 010 6.5M17.5 14.5c2.2.7 3.5 2.8 3.5 5.5',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5',
  audit: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3',
  bell: 'M6 17V11a6 6 0 0112 0v6l1.5 1.5h-15zM10 21h4',
  search: 'M10.5 17a6.5 6.5 0 100-13 6.5 6.5 0 000 13zM15.5 15.5L21 21',
  scan: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 8h3v3H8zM13 8h3v3h-3zM8 13h3v3H8zM13 13h1.5v1.5M16 16h.01',
  more: 'M6 12a1 1 0 11-2 0 1 1 0 012 0zM13 12a1 1 0 11-2 0 1 1 0 012 0zM20 12a1 1 0 11-2 0 1 1 0 012 0z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M14 5l-7 7 7 7',
  return: 'M9 6L4 11l5 5M4 11h10a6 6 0 016 6v2',
  next: 'M10 5l7 7-7 7',
  turn: 'M19 12a7 7 0 11-2-4.9M17.5 3.5v4h-4',
  resize: 'M5 10V5h5M5 5l14 14M19 14v5h-5',
  down: 'M6 9l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  site: 'M4 20V9l8-5 8 5v11M4 20h16M9 20v-6h6v6',
  person: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c0-4 3.5-7 8-7s8 3 8 7',
  camera: 'M4 8h3l1.5-2.5h7L17 8h3v11H4zM12 16.5a3.2 3.2 0 100-6.4 3.2 3.2 0 000 6.4z',
  clip: 'M8 12.5l6-6a3 3 0 014.2 4.2l-8 8A5 5 0 013 11.5L10 4.5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  link: 'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1',
  // how grave
  ok: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.5h.01',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8',
  must: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v6M12 16.5h.01',
  hand: 'M7 12V6.5a1.5 1.5 0 013 0V11M10 11V4.5a1.5 1.5 0 013 0V11M13 11V6a1.5 1.5 0 013 0v6M16 12V9a1.5 1.5 0 013 0v6a6 6 0 01-6 6h-1.5c-2.5 0-4-1.2-5.2-3.3L4 13.5a1.5 1.5 0 012.5-1.6L7 12.5',
  card: 'M5 4h14v16H5zM5 4v16M8.5 8H16M8.5 12H16M8.5 16H13',
  offline: 'M3 3l18 18M8.5 12.5a5 5 0 014-1.4M5 9a10 10 0 013-1.8M19 9a10 10 0 00-6-2.9M12 18h.01',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3.5 2',
  north: 'M12 3v18M12 3l-4.5 7M12 3l4.5 7',
  text: 'M5 8V5h14v3M12 5v14M9 19h6',
  pin: 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0113 0c0 5-6.5 11-6.5 11zM12 12.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
  star: 'M12 3.5l2.6 5.3 5.9.9-4.2 4.1 1 5.8-5.3-2.8-5.3 2.8 1-5.8-4.2-4.1 5.9-.9z',
  // types of work
  flame: 'M12 21c-4 0-6.5-2.8-6.5-6.2C5.5 10 10 8.5 10 3c4 2 4.5 5 4 7.5 1-.5 1.5-1.5 1.7-2.5 1.8 1.8 2.8 4 2.8 6.8C18.5 18.2 16 21 12 21z',
  mask: 'M5 8c2-2 12-2 14 0v4c0 5-3.5 8-7 8s-7-3-7-8zM9 15.5h6M8.5 10.5h2.5M13 10.5h2.5M5 11H2.5M19 11h2.5',
  harness: 'M8 3l4 6 4-6M12 9v6M7 21l5-6 5 6M6 12h12',
  digger: 'M3 19h11M4 19a2 2 0 010-4h9a2 2 0 010 4M6 15V9h5l2 6M11 9l5-4 4 5-1 3h-3l1-2',
  bolt: 'M13 3L5 13.5h6L10 21l8-10.5h-6z',
  hook: 'M12 3v7M9.5 3h5M12 10a3.5 3.5 0 013.5 3.5c0 2-1.6 3.5-3.5 3.5s-3.5-1-3.5-3M12 17v4',
  gauge: 'M4 17a8 8 0 1116 0M12 17l4-5M4 17h16M12 9V7.5',
  trefoil:
    'M12 13.5a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM12 8V3a9 9 0 00-4.5 1.2L10 8.6M15.5 14l4.3 2.5a9 9 0 01-3.3 3.3L14 15.5M8.5 14l-4.3 2.5a9 9 0 003.3 3.3L10 15.5',
  crane: 'M6 21V4M3.5 21h5M6 4h14M6 8l4-4M17 4v6M15.5 10h3v3h-3z',
  lorry: 'M2.5 6h11v11h-11zM13.5 10h4.5l3.5 3.5V17h-8zM7 20.5a2 2 0 100-4 2 2 0 000 4zM17 20.5a2 2 0 100-4 2 2 0 000 4z',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
} as const

/** Name of an icon. */
export type GlyphName = keyof typeof PATHS

/** An icon, hidden from screen readers, because the element around it always has a text or an accessible name. */
export function Glyph({ name, size = 20 }: { name: GlyphName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
