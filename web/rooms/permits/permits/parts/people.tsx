import { initialsOf, usePeople } from '../../../../base/people.ts'
import { t } from '../../../../base/words.ts'

type Named = { requestor_id: string | null; receiver_id: string | null; issuer_id: string | null }

/** The people of a permit as initials, with their names on hover and for screen readers. */
export function People({ permit }: { permit: Named }) {
  const roles = [
    [t('permit.requestor'), permit.requestor_id],
    [t('permit.receiver'), permit.receiver_id],
    [t('permit.issuer'), permit.issuer_id],
  ] as const
  const names = usePeople(roles.map(([, id]) => id))
  const shown = roles.filter(([, id], i) => id !== null && roles.findIndex(([, other]) => other === id) === i)
  return (
    <span className="people">
      {shown.map(([role, id]) => {
        const name = names(id) ?? t('common.unknown_person')
        return (
          <span key={role} className="person" title={`${role}: ${name}`}>
            <span aria-hidden>{initialsOf(name)}</span>
            <span className="unseen">{`${role}: ${name}`}</span>
          </span>
        )
      })}
    </span>
  )
}
