import { tOf } from '../../../../base/words.ts'
import type { Standing } from '../standing.ts'

const RING = 'M12 21a9 9 0 100-18 9 9 0 000 18z'
/** The strokes of each status icon, on a grid of 24. */
export const MARKS: Record<Standing, { paths: string[]; fill?: boolean; dashed?: boolean }> = {
  draft: { paths: [RING], dashed: true },
  requested: { paths: [RING, 'M12 16.5v-9M8.5 11L12 7.5l3.5 3.5'] },
  endorsed: { paths: [RING, 'M8 12.5l3 3 5.5-6'] },
  approved: { paths: [RING, 'M5.8 12.7l2.6 2.6 4.6-5.2M11.3 14.6l1 .9 5.2-6'] },
  awaiting_countersign: { paths: ['M4 20l1-4L16 5l3 3L8 19zM14 7l3 3M13 20h7'] },
  not_started: { paths: [RING, 'M12 7.5V12l3 2'] },
  stopped: { paths: ['M8.2 3h7.6L21 8.2v7.6L15.8 21H8.2L3 15.8V8.2z', 'M8 12h8'] },
  issued: { paths: [RING], fill: true },
  window_ended: { paths: ['M6 3h12M6 21h12M7.5 3v3.5L12 12l4.5-5.5V3M7.5 21v-3.5L12 12l4.5 5.5V21'] },
  expired: { paths: ['M6 3h12M6 21h12M7.5 3v3.5L12 12l4.5-5.5V3M7.5 21v-3.5L12 12l4.5 5.5V21'] },
  handed_back: { paths: ['M9 6L4 11l5 5M4 11h10a6 6 0 016 6v2'] },
  corrections_requested: { paths: ['M4 20l1-4L16 5l3 3L8 19z', 'M14 7l3 3'] },
  closed: { paths: ['M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3'] },
  rejected: { paths: [RING, 'M6.5 12h11'] },
  withdrawn: { paths: [RING, 'M6 18L18 6'] },
}

/** The shape of a status; the same on board, map, wallet and paper. */
export function StatusShape({ standing, size = 18 }: { standing: Standing; size?: number }) {
  const mark = MARKS[standing]
  return (
    <svg
      className={`shape ${standing}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={mark.fill === true ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeDasharray={mark.dashed === true ? '3.4 3.6' : undefined}
      aria-hidden
    >
      {mark.paths.map(path => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}

/** A status: word, shape and colour. */
export function StatusMark({ standing }: { standing: Standing }) {
  return (
    <span className={`status ${standing}`}>
      <StatusShape standing={standing} />
      {tOf('status', standing)}
    </span>
  )
}
