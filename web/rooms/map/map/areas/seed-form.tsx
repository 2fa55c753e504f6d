import { type ReactNode, useState } from 'react'
import { dateOn } from '../../../../../shared/time.ts'
import { Choices } from '../../../../base/kit/field.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import type { CardPermit } from '../../../permits/permits/door.tsx'
import { TokenForm } from '../parts/token-form.tsx'
import { AreaPanel, type AreaPanelGiven } from './area-panel.tsx'
import { t } from './says.ts'
import { type SeedDays, seedArea, seedToken } from './seeding.ts'

/** What the form says about the days of the permit. */
function SeedNote({ days: { dates, occurrences, without_length, left_out } }: { days: SeedDays }) {
  if (dates <= 1 && left_out.length === 0) return <p className="small">{t('seed.single')}</p>
  return (
    <Note kind={without_length.length + left_out.length > 0 ? 'warn' : 'act'}>
      <p>{t('seed.days', { n: occurrences })}</p>
      {without_length.length > 0 && <p className="small">{t('seed.without_length', { dates: without_length.join(', ') })}</p>}
      {left_out.length > 0 && <p className="small">{t('seed.left_out', { dates: left_out.join(', ') })}</p>}
    </Note>
  )
}

type What = 'worker' | 'plant' | 'area'
type Given = Omit<AreaPanelGiven, 'area' | 'start' | 'children'> & { permit: CardPermit }

/** Puts a gang, plant or an area on the map for a permit. */
export function SeedForm({ permit, ...given }: Given) {
  const { site_id, zone, canChange } = useHere()
  const { now, frame, onDone } = given
  const [what, setWhat] = useState<What>('worker')
  const from_date = canChange('map_entity_edit_any') ? null : dateOn(zone, new Date(now).toISOString())
  const said = (days: SeedDays): ReactNode => (
    <>
      <Choices<What>
        label={t('seed.what')}
        value={what}
        options={[
          { value: 'worker', label: t('seed.worker') },
          { value: 'plant', label: t('seed.plant') },
          { value: 'area', label: t('seed.area') },
        ]}
        onChoose={setWhat}
      />
      <SeedNote days={days} />
    </>
  )
  if (what === 'area') {
    const { days, ...start } = seedArea(permit, now, zone, from_date)
    return (
      <AreaPanel {...given} area={null} start={start}>
        {said(days)}
      </AreaPanel>
    )
  }
  const { days, typed } = seedToken(permit, now, zone, frame, from_date, what === 'plant')
  return (
    <TokenForm
      key={what}
      site_id={site_id}
      kind={what}
      token={null}
      now={now}
      permits={[permit]}
      start={typed}
      name={`permit ${permit.id} ${what}`}
      onClose={() => onDone(null)}
    >
      {said(days)}
    </TokenForm>
  )
}
