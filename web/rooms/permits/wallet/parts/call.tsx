import { Glyph, type GlyphName } from '../../../../base/kit/glyph.tsx'
import { t } from '../../../../base/words.ts'
import { type Call, untilOf, type WalletPermit } from '../model.ts'

const LOOK: Record<Call, { tone: string; glyph: GlyphName }> = {
  stopped: { tone: 'stop', glyph: 'stop' },
  alert: { tone: 'stop', glyph: 'stop' },
  over: { tone: 'stop', glyph: 'stop' },
  countersign: { tone: 'mine', glyph: 'hand' },
  issue: { tone: 'mine', glyph: 'hand' },
  handed_back: { tone: '', glyph: 'return' },
  live: { tone: 'safe', glyph: 'ok' },
  not_yet: { tone: 'act', glyph: 'clock' },
  waits: { tone: '', glyph: 'clock' },
}

function timeOf(at: string, now: number): string {
  const { days, hours, minutes } = untilOf(at, now)
  return days > 0 ? t('count.days', { days, hours }) : hours > 0 ? t('count.hours', { hours, minutes }) : t('count.minutes', { minutes })
}

/** Shows what the permit requires, and the remaining time, large enough to read at arm's length. */
export function CallLine({ call, permit, now }: { call: Call; permit: Pick<WalletPermit, 'start_at' | 'end_at' | 'status'>; now: number }) {
  const { tone, glyph } = LOOK[call]
  const { start_at, end_at } = permit
  const ended = end_at !== null && Date.parse(end_at) <= now
  const count =
    end_at === null || call === 'handed_back'
      ? null
      : ended
        ? t('count.over', { time: timeOf(new Date(now).toISOString(), Date.parse(end_at)) })
        : start_at !== null && Date.parse(start_at) > now
          ? t('count.until', { time: timeOf(start_at, now) })
          : // Nobody is working yet: what is left of the window isn't time to work.
            t(permit.status === 'issued' ? 'count.left' : 'count.window', { time: timeOf(end_at, now) })
  return (
    <div className={`call ${tone}`}>
      <Glyph name={glyph} size={28} />
      <span className="strong">{t(`call.${call}`)}</span>
      {count !== null && <span className="mono count screen-only">{count}</span>}
    </div>
  )
}
