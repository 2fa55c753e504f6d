import { useState } from 'react'
import { jsonOf, parsed } from '../../../../base/condition-json.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { faultAt, inWords } from '../../../../base/kit/fault-words.ts'
import { TextArea } from '../../../../base/kit/field.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import type { Group } from '../condition.ts'
// Here, not in the door: a build leaves out what the door does besides passing things on.
import '../rules.css'
import { t } from '../says.ts'
import { type About, Condition } from './condition.tsx'
import { PathList } from './path-list.tsx'

/** A fault of a condition, with its path. */
type Found = { path: string; code: string; message: string }

type Given = {
  /** What the condition is about. */
  about: About
  /** The condition as it is stored. */
  value: unknown
  /** The condition as JSON while it is edited in that form; null while it is edited in lines. */
  json: string | null
  may: boolean
  /** Faults by their path, of the service if it refused the condition. */
  faults: ReadonlyMap<string, string>
  /** Faults that the browser found. */
  found: readonly Found[]
  /** Whether the service found the faults: until then a line that isn’t complete yet isn’t marked. */
  tried: boolean
  /** What the condition must be, in words. */
  hint?: string
  /** Reads a condition as a group of lines; null if lines can’t show it. */
  read(value: unknown): Group | null
  /** Returns a group of lines as it is stored. */
  write(group: Group, before: unknown): unknown
  onChange(value: unknown, json: string | null): void
}

const NONE: ReadonlyMap<string, string> = new Map()

/** A condition in lines that are chosen from lists; or as JSON, with every fault at its path. */
export function ConditionField({ about, value, json, may, faults, found, tried, hint, read, write, onChange }: Given) {
  const typed = json === null ? null : parsed(json)
  const [group, setGroup] = useState(() => read(typed !== null && 'when' in typed ? typed.when : value))
  // Discarded or replaced elsewhere: the lines follow.
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setGroup(read(value))
  }
  const take = (next: unknown, lines: Group | null) => {
    setShown(next)
    setGroup(lines)
    onChange(next, null)
  }
  const at = about.at ?? 'when'
  const inside = found.filter(({ path }) => path === at || path.startsWith(`${at}.`))
  const whole = faultAt(faults, at)
  if (json !== null)
    return (
      <div className="stack tight">
        <TextArea
          label={t('rules.json')}
          hint={t('rules.json_says')}
          className="input mono"
          rows={8}
          spellCheck={false}
          disabled={!may}
          value={json}
          onChange={event => onChange(value, event.target.value)}
        />
        {inside.length > 0 && (
          <Note kind="stop" title={t('rules.fault_list')}>
            <PathList notes={inside} />
          </Note>
        )}
        {inside.length === 0 && tried && whole !== undefined && <p className="fault">{inWords(whole)}</p>}
        <div className="row">
          <Button
            disabled={inside.some(one => one.code !== 'unbounded_reach')}
            onClick={() => {
              if (typed !== null && 'when' in typed) take(typed.when, read(typed.when))
            }}
          >
            {t('rules.as_lines')}
          </Button>
        </div>
      </div>
    )
  return (
    <div className="stack tight">
      {group === null ? (
        <Note title={t('rules.when')}>
          <p>{t('rules.json_only')}</p>
        </Note>
      ) : (
        <Condition group={group} event={about} faults={tried ? faults : NONE} may={may} onChange={next => take(write(next, value), next)} />
      )}
      {hint !== undefined && <p className="soft small">{hint}</p>}
      <div className="row">
        <Button look="quiet" onClick={() => onChange(value, jsonOf(value))}>
          {t('rules.as_json')}
        </Button>
      </div>
    </div>
  )
}
