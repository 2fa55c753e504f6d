import { dateOn } from '../../../../../shared/time.ts'
import { Note } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import type { CardPermit } from '../../../permits/permits/door.tsx'
import type { Frame } from '../model.ts'
import { TokenForm } from '../parts/token-form.tsx'
import { type Seed, seedGang } from './seeding.ts'

/** What the form says about the days of the permit. */
function SeedNote({ seed: { dates, occurrences, without_length, left_out } }: { seed: Seed }) {
  if (dates <= 1 && left_out.length === 0) return <p className="small">{t('seed.single')}</p>
  return (
    <Note kind={without_length.length + left_out.length > 0 ? 'warn' : 'act'}>
      <p>{t('seed.days', { n: occurrences })}</p>
      {without_length.length > 0 && <p className="small">{t('seed.without_length', { dates: without_length.join(', ') })}</p>}
      {left_out.length > 0 && <p className="small">{t('seed.left_out', { dates: left_out.join(', ') })}</p>}
    </Note>
  )
}

/** The form of a gang that works under a permit. */
export function SeedForm({ permit, frame, now, onDone }: { permit: CardPermit; frame: Frame; now: number; onDone(): void }) {
  const { site_id, zone, canChange } = useHere()
  const today = dateOn(zone, new Date(now).toISOString())
  const seed = seedGang(permit, now, zone, frame, canChange('map_entity_edit_any') ? null : today)
  return (
    <TokenForm
      site_id={site_id}
      kind="worker"
      token={null}
      now={now}
      permits={[permit]}
      start={seed.typed}
      name={`permit ${permit.id}`}
      onClose={onDone}
    >
      <SeedNote seed={seed} />
    </TokenForm>
  )
}
