import { Note } from '../../../../base/kit/note.tsx'
import { PathList } from '../../../messages/rules/door.tsx'
import type { SmartGroup } from '../draft.ts'
import { t } from '../says.ts'

/** What about a condition is worth a look, though it can be saved; with the path only where it is about a part of it. */
export function Warnings({ warnings }: { warnings: SmartGroup['warnings'] }) {
  if (warnings.length === 0) return null
  const parts = warnings.filter(one => one.path !== 'predicate')
  return (
    <Note kind="warn" title={t('groups.warnings')}>
      {warnings
        .filter(one => one.path === 'predicate')
        .map(one => (
          <p key={one.code} className="small">
            {t('groups.whole', { message: one.message })}
          </p>
        ))}
      {parts.length > 0 && <PathList notes={parts} />}
    </Note>
  )
}
