import { Glyph, type GlyphName } from '../../../../base/kit/glyph.tsx'
import { t } from '../../../../base/words.ts'
import { type Call, countOf, untilOf, type WalletPermit } from '../model.ts'

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
export function CallLine({ call, permit, now }: { call: Call; permit: Pick<WalletPermit, 'start_at' | 'end_at'>; now: number }) {
  const { tone, glyph } = LOOK[call]
  const count = countOf(call, permit, now)
  return (
    <div className={`call ${tone}`}>
      <Glyph name={glyph} size={28} />
      <span className="strong">{t(`call.${call}`)}</span>
      {count !== null && <span className="mono count screen-only">{t(`count.${count.says}`, { time: timeOf(count.to, count.from) })}</span>}
    </div>
  )
}
