import { useQuery } from '@tanstack/react-query'
import { ask, client, type Schemas } from '../../../../base/api.ts'
import { useFrame } from '../../../../base/frame.ts'
import { Note } from '../../../../base/kit/note.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { usePeople } from '../../../../base/people.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { absentReceiver, handedBackFor, type Signed } from '../behalf.ts'
import { type Change, changeLines, didOf, idsIn, type Naming, sinceReturned } from '../changes.ts'
import type { Permit } from '../steps.ts'

const useHistory = (permit_id: string) =>
  useQuery({
    queryKey: ['permit', permit_id, 'history'],
    queryFn: () =>
      ask(
        client.GET('/audit/entity/{entity_type}/{entity_id}', {
          params: { path: { entity_type: 'permit', entity_id: permit_id }, query: { limit: 50 } },
        }),
      ),
    meta: { keep: true },
  })

const BACK = ['request_corrections', 'reject', 'withdraw', 'hand_back'] as const
/** The decisions that leave a message, as long as nothing came after them. */
const STILL = { request_corrections: 'corrections_requested', reject: 'rejected', withdraw: 'withdrawn' } as const

/** Shows why a permit was returned or ended, in the words of the person who decided: what its requestor wants to know first. */
export function WhyBack({ permit }: { permit: Pick<Permit, 'status' | 'last_decision'> & { signatures?: readonly Signed[] } }) {
  const { zone } = useHere()
  // Permits stored on this device by an earlier version have none.
  const last: Permit['last_decision'] | undefined = permit.last_decision
  const action = BACK.find(one => one === last?.action)
  if (last == null || action === undefined || last.note === null || last.note === '') return null
  if (action !== 'hand_back' && permit.status !== STILL[action]) return null
  const receiver = action === 'hand_back' ? absentReceiver(permit.signatures ?? [], last.at) : undefined
  const title =
    receiver === undefined
      ? t(`permit.why.${action}`, { name: last.by.name })
      : t('permit.why.hand_back_for', { name: last.by.name, receiver })
  return (
    <Note kind={action === 'reject' ? 'stop' : 'warn'} title={title}>
      <p className="pre">{last.note}</p>
      <p className="soft small">{momentOf(last.at, zone)}</p>
    </Note>
  )
}

/** Returns names for the values in changes: people, contractors and places. */
function useNaming(changes: readonly Change[]): Naming {
  const { zone, site_id } = useHere()
  const people = usePeople(idsIn(changes, ['receiver_id']))
  const contractors = useContractors(site_id, 'all')
  const frame = useFrame(site_id)
  const name = (id: string) =>
    people(id) ?? contractors.data?.find(one => one.id === id)?.name ?? frame.data?.find(one => one.id === id)?.name
  return { zone, name }
}

const IN_REVIEW = ['requested', 'endorsed', 'approved']

/** Shows those who decide on a permit that was returned for corrections what is different now (`web.md`, Review), with what was asked for. */
export function Resubmitted({ permit }: { permit: Pick<Permit, 'id' | 'status' | 'attachments'> }) {
  const { data } = useHistory(permit.id)
  const again = sinceReturned(data ?? [])
  const naming = useNaming(again?.changes ?? [])
  if (again === null || !IN_REVIEW.includes(permit.status)) return null
  const { returned, since, changes } = again
  const lines = changeLines(changes, naming)
  const files = permit.attachments.filter(({ created_at }) => created_at > since).length
  return (
    <Note kind="act" title={t('again.title')}>
      <p className="soft small">{t('again.by', { name: returned.actor.name, time: momentOf(returned.at, naming.zone) })}</p>
      {returned.reason !== null && <p className="pre">{returned.reason}</p>}
      {lines.length + files === 0 ? (
        <p>{t('again.none')}</p>
      ) : (
        <ul className="changes">
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
          {files > 0 && <li>{t('again.files', { n: files })}</li>}
        </ul>
      )}
    </Note>
  )
}

/** A permit's history, newest first, from the audit log: every step with its note, every edit with the changed fields. */
export function History({ permit: { id: permit_id, signatures } }: { permit: Pick<Permit, 'id' | 'signatures'> }) {
  const { data } = useHistory(permit_id)
  const naming = useNaming(data?.flatMap(entry => entry.changes ?? []) ?? [])
  if (data === undefined || data.length === 0) return null
  return (
    <section className="panel" aria-label={t('permit.history')}>
      <header>
        <h2>{t('permit.history')}</h2>
      </header>
      <ol className="timeline">
        {data.map(entry => (
          <Entry key={entry.id} entry={entry} receiver={handedBackFor(entry, signatures)} naming={naming} />
        ))}
      </ol>
    </section>
  )
}

/** One entry; `receiver` is the absent receiver on whose behalf it handed the permit back. */
function Entry({ entry, receiver, naming }: { entry: Schemas['AuditEntry']; receiver: string | undefined; naming: Naming }) {
  // The first entry contains every field as a change, and the permit itself shows them.
  const lines = entry.action === 'create' ? [] : changeLines(entry.changes, naming)
  const did = didOf(entry, lines.length)
  const said = receiver === undefined ? did : t('caused.hand_back_for', { receiver })
  return (
    <li>
      <span className="mono tiny soft">{momentOf(entry.at, naming.zone)}</span>
      <span>
        <span className="strong">{entry.actor.kind === 'job' ? t('app.name') : entry.actor.name}</span> {said}
      </span>
      {entry.reason !== null && <span className="small soft pre">{entry.reason}</span>}
      {lines.length > 0 && (
        <ul className="small changes">
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
