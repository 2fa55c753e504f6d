import { useState } from 'react'
import { Tick } from '../../../../base/kit/field.tsx'
import { Loaded } from '../../../../base/kit/loaded.tsx'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { type Contractor, oversee, useOversight } from '../data.ts'
import { t } from '../says.ts'

/** The subcontractors that a contractor oversees: it can see their records and act for them. */
export function OversightWindow({ contractor, onClose }: { contractor: Contractor; onClose(): void }) {
  const { site_id } = useHere()
  const contractors = useContractors(site_id, 'active')
  const pairs = useOversight(site_id)
  const { busy, fault, send } = useSend()
  const [wanted, setWanted] = useState<{ id: string; on: boolean } | null>(null)
  const under = new Set((pairs.data ?? []).filter(pair => pair.overseer_id === contractor.id).map(pair => pair.subordinate_id))
  // The checkbox stays as it was set until the service responds, and then follows the response.
  const turn = async (id: string, on: boolean) => {
    setWanted({ id, on })
    await send(() => oversee(contractor.id, id, on))
    setWanted(null)
  }
  return (
    <Window title={t('contractor.oversight_of', { name: contractor.name })} onClose={onClose}>
      <p className="soft small">{t('contractor.oversight_says', { name: contractor.name })}</p>
      {fault !== null && <FaultNote error={fault} />}
      <Loaded queries={[contractors, pairs]}>
        {() => (
          <fieldset className="fieldset" disabled={busy}>
            <legend className="unseen">{t('contractor.oversight')}</legend>
            {(contractors.data ?? [])
              .filter(other => other.id !== contractor.id)
              .map(other => (
                <Tick
                  key={other.id}
                  label={other.name}
                  checked={wanted?.id === other.id ? wanted.on : under.has(other.id)}
                  onChange={event => void turn(other.id, event.target.checked)}
                />
              ))}
          </fieldset>
        )}
      </Loaded>
    </Window>
  )
}
