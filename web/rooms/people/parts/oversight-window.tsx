import { useState } from 'react'
import { Tick } from '../../../base/kit/field.tsx'
import { FaultNote } from '../../../base/kit/note.tsx'
import { Window } from '../../../base/kit/window.tsx'
import { useFirms } from '../../../base/lists.ts'
import { useSend } from '../../../base/send.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { type Firm, oversee, useOversight } from '../data.ts'

/** The subcontractors that a contractor oversees: it can see their records and act for them. */
export function OversightWindow({ firm, onClose }: { firm: Firm; onClose(): void }) {
  const { site_id } = useHere()
  const firms = useFirms(site_id, 'active')
  const pairs = useOversight(site_id)
  const { busy, fault, send } = useSend()
  const [wanted, setWanted] = useState<{ id: string; on: boolean } | null>(null)
  const under = new Set((pairs.data ?? []).filter(pair => pair.overseer_id === firm.id).map(pair => pair.subordinate_id))
  // The checkbox stays as it was set until the service responds, and then follows the response.
  const turn = async (id: string, on: boolean) => {
    setWanted({ id, on })
    await send(() => oversee(firm.id, id, on))
    setWanted(null)
  }
  return (
    <Window title={t('firm.oversight_of', { name: firm.name })} onClose={onClose}>
      <p className="soft small">{t('firm.oversight_says', { name: firm.name })}</p>
      {fault !== null && <FaultNote error={fault} />}
      <fieldset className="fieldset" disabled={busy || pairs.data === undefined}>
        <legend className="unseen">{t('firm.oversight')}</legend>
        {(firms.data ?? [])
          .filter(other => other.id !== firm.id)
          .map(other => (
            <Tick
              key={other.id}
              label={other.name}
              checked={wanted?.id === other.id ? wanted.on : under.has(other.id)}
              onChange={event => void turn(other.id, event.target.checked)}
            />
          ))}
      </fieldset>
    </Window>
  )
}
