import { fieldsIn, itemsIn, textIn } from '../../../../../shared/narrow.ts'
import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import type { SmartGroup } from '../draft.ts'
import { t, tOf } from '../says.ts'

type User = SmartGroup['used_by'][number]

/** Reads what uses a group from the context of a refusal. */
export const usersIn = (context: Record<string, unknown>): User[] =>
  itemsIn(context.used_by)
    .map(fieldsIn)
    .map(({ kind, id, name }) => ({ kind: textIn(kind), id: textIn(id), name: textIn(name) }))

/** What uses a group, leading to it where the person can see its page. */
export function UsedBy({ users }: { users: readonly User[] }) {
  const { site_id, can } = useHere()
  const pageOf = ({ kind, id }: User): string | null => {
    if (kind === 'smart_group') return paths.smartGroup(site_id, id)
    if (kind === 'clash_rule') return can('clash_view') ? paths.clashRule(site_id, id) : null
    if (kind === 'notification_rule') return can('notification_rule_view') ? paths.rule(site_id, id) : null
    return null
  }
  if (users.length === 0) return null
  return (
    <div className="stack tight">
      <p className="strong">{t('groups.used_by')}</p>
      <ul className="bullets small" aria-label={t('groups.used_by')}>
        {users.map(user => {
          const page = pageOf(user)
          return (
            <li key={`${user.kind} ${user.id}`}>
              {page === null ? user.name : <Go to={page}>{user.name}</Go>} <span className="soft">({tOf('groups.used', user.kind)})</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
