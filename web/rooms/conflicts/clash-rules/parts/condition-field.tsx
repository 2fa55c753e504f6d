import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { TextArea } from '../../../../base/kit/field.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { faultAt } from '../../../../base/records/form-fields.ts'
import { Condition } from '../../../messages/rules/door.tsx'
import { groupOf, PAIR_FIELDS, whenOf } from '../condition.ts'
import type { Draft, Note as Found } from '../draft.ts'
import { whenIn } from '../draft.ts'
import { jsonOf } from '../json.ts'
import { t } from '../says.ts'
import { PathList } from './path-list.tsx'

type Given = {
  draft: Draft
  may: boolean
  /** Faults by their path, of the service if it refused the rule. */
  faults: ReadonlyMap<string, string>
  /** Faults that the browser found. */
  found: readonly Found[]
  /** Whether the service refused the rule: until then a line that isn’t complete yet isn’t marked. */
  tried: boolean
  set(part: Partial<Draft>): void
}

const PAIR = { fields: PAIR_FIELDS }
const NONE: ReadonlyMap<string, string> = new Map()

/** The condition of a rule in lines that are chosen from lists; or as JSON, with every fault at its path. */
export function ConditionField({ draft, may, faults, found, tried, set }: Given) {
  const [group, setGroup] = useState(() => groupOf(whenIn(draft)))
  // Discarded or replaced elsewhere: the lines follow.
  const [shown, setShown] = useState(draft.when)
  if (shown !== draft.when) {
    setShown(draft.when)
    setGroup(groupOf(draft.when))
  }
  const toJson = () => set({ json: jsonOf(draft.when) })
  const toLines = () => {
    const when = whenIn(draft)
    setShown(when)
    setGroup(groupOf(when))
    set({ when, json: null })
  }
  const inside = found.filter(({ path }) => path === 'when' || path.startsWith('when.'))
  const whole = faultAt(faults, 'when')
  return (
    <div className="stack tight">
      {draft.json !== null ? (
        <>
          <TextArea
            label={t('clash.json')}
            hint={t('clash.json_says')}
            className="input mono"
            rows={8}
            spellCheck={false}
            disabled={!may}
            value={draft.json}
            onChange={typed => set({ json: typed.target.value })}
          />
          {inside.length > 0 && (
            <Note kind="stop" title={t('clash.fault_list')}>
              <PathList notes={inside} />
            </Note>
          )}
          {inside.length === 0 && tried && whole !== undefined && <p className="fault">{whole}</p>}
          <div className="row">
            <Button disabled={inside.some(one => one.code !== 'unbounded_reach')} onClick={toLines}>
              {t('clash.as_form')}
            </Button>
          </div>
        </>
      ) : (
        <>
          {group === null ? (
            <Note title={t('clash.condition')}>
              <p>{t('clash.beyond')}</p>
            </Note>
          ) : (
            <Condition
              group={group}
              event={PAIR}
              faults={tried ? faults : NONE}
              may={may}
              onChange={next => {
                const when = whenOf(next, draft.when)
                setGroup(next)
                setShown(when)
                set({ when })
              }}
            />
          )}
          <p className="soft small">{t(draft.outcome === 'matrix' ? 'clash.condition_matrix' : 'clash.condition_says')}</p>
          <div className="row">
            <Button look="quiet" onClick={toJson}>
              {t('clash.as_json')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
