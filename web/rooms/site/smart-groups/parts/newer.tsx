import { Button } from '../../../../base/kit/button.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { type Part, partsOf, type SmartGroup } from '../draft.ts'
import { t } from '../says.ts'

/** Returns a part of a group in words. */
function wordsOf(part: Part, group: SmartGroup): string {
  if (part === 'predicate') return group.explanation
  if (part === 'visibility') return t(`groups.visibility.${group.visibility}`)
  return group[part] ?? ''
}

/** Says that someone changed the group meanwhile, and what; and goes on with it, with what was typed here. */
export function Newer({ before, after, onTake }: { before: SmartGroup; after: SmartGroup; onTake(): void }) {
  return (
    <Note kind="warn" title={t('groups.newer')}>
      <ul className="bullets small">
        {partsOf(before, after).map(part => (
          <li key={part}>{t(`groups.newer.${part}`, { before: wordsOf(part, before), after: wordsOf(part, after) })}</li>
        ))}
      </ul>
      <p className="small">{t('groups.newer_says')}</p>
      <Button onClick={onTake}>{t('groups.newer_take')}</Button>
    </Note>
  )
}
