import { useEffect, useMemo } from 'react'
import { asFault } from '../../../../base/fault.ts'
import { useGo } from '../../../../base/go.tsx'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Faults } from '../../../../base/kit/faults.tsx'
import { Note, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { useSmartGroups } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { usePreview } from '../../../../base/records/preview.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { ConditionField, fieldsFor, isComplete, linesIn, ruleText, SaveBar, writeCondition } from '../../../messages/rules/door.tsx'
import { changeGroup, makeGroup, previewGroup } from '../data.ts'
import {
  changesOf,
  copyBody,
  type Draft,
  draftOf,
  faultsIn,
  fieldsOf,
  nestingFaults,
  newBody,
  predicateIn,
  type SmartGroup,
  SUBJECT,
} from '../draft.ts'
import { t } from '../says.ts'
import { Fields, SubjectField } from './fields.tsx'
import { Members } from './members.tsx'
import { Newer } from './newer.tsx'
import { Refused } from './refused.tsx'

const NONE: readonly never[] = []

type Given = {
  /** The version that is edited; null for a new group. */
  group: SmartGroup | null
  /** The version that the service has now. */
  newest: SmartGroup | null
  /** Goes on with another version of the group. */
  onTaken(group: SmartGroup): void
}

/** A group with its condition, and its members next to it. Unsaved changes are kept on the device. */
export function GroupForm({ group, newest, onTaken }: Given) {
  const here = useHere()
  const go = useGo()
  const form = useKeptForm<Draft>(`smart-group ${here.site_id} ${group?.id ?? 'new'}`, draftOf(group))
  const draft = form.values
  const { busy, fault, send, clear } = useSend()
  const may = group === null || group.permissions.edit.allowed
  const change = group === null ? {} : changesOf(group, draft)
  const count = Object.keys(change).length
  const moved = group === null || count > 0
  const whole = faultsIn(draft, ruleText('rules.not_json'))
  const predicate = predicateIn(draft)
  const { data: seen = NONE } = useSmartGroups(here.site_id, true)
  const written = JSON.stringify([draft.name, draft.subject, predicate])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written is all that counts of the draft.
  const nested = useMemo(() => (whole.length > 0 ? NONE : nestingFaults(draft, group?.id ?? null, seen)), [written, seen, group?.id])
  const found = [...whole, ...nested]
  const fields = fieldsFor(fieldsOf(draft.subject, draft.predicate)).map(field => ({ ...field, own_groups: true as const }))
  const lines = draft.json === null ? linesIn(SUBJECT[draft.subject], predicate) : null
  const ready = found.length === 0 && (lines === null || isComplete(lines, fields))
  const preview = usePreview({
    queryKey: ['group-preview', here.site_id],
    about: JSON.stringify([draft.subject, draft.visibility, predicate]),
    wanted: ready,
    ask: () => previewGroup(here.site_id, draft, t('groups.new')),
  })
  const refused = asFault(fault)
  const previewed = ready && !preview.busy ? asFault(preview.found.error).fields : null
  const own = nested.length > 0 ? new Map(nested.map(({ path, message }) => [path, message])) : previewed
  const faults = refused.fields.size > 0 ? refused.fields : (own ?? new Map<string, string>())
  const outdated = group !== null && newest !== null && newest.version > group.version
  // Nothing was typed: the form shows the newest version without asking.
  useEffect(() => {
    if (outdated && !moved) onTaken(newest)
  })
  const go_to = (saved: SmartGroup) => {
    form.sent()
    toast(t('common.saved'))
    go(paths.smartGroup(here.site_id, saved.id), { replace: group === null })
  }
  const save = () =>
    send(async () => {
      if (group === null) return go_to(await makeGroup(newBody(here.site_id, draft)))
      const saved = await changeGroup(group, change)
      form.sent()
      toast(t('common.saved'))
      onTaken(saved)
    })
  const copy = () =>
    send(async () => go_to(await makeGroup(copyBody(here.site_id, draft, t('groups.copy_name', { name: draft.name.trim() })))))
  const set = (part: Partial<Draft>) => {
    if (refused.fields.size > 0) clear()
    form.change(part)
  }
  const shown = { draft, may, set }
  return (
    <div className="rule-form">
      <Faults of={faults}>
        <form
          className="stack"
          aria-label={t('groups.form')}
          onSubmit={submitted => {
            submitted.preventDefault()
            void save()
          }}
        >
          <Restored form={form} />
          {outdated && moved && (
            <Newer
              before={group}
              after={newest}
              onTake={() => {
                clear()
                onTaken(newest)
              }}
            />
          )}
          <Fields {...shown} group={group} taken={refused.context.reason === 'key_taken' ? refused.message : undefined} />
          <SubjectField {...shown} fixed={group !== null} />
          <ConditionField
            key={draft.subject}
            about={{
              fields,
              at: 'predicate',
              always: t('groups.always'),
              clock: 'now',
            }}
            value={draft.predicate}
            json={draft.json}
            may={may}
            faults={faults}
            found={found}
            tried={faults.size > 0}
            read={value => linesIn(SUBJECT[draft.subject], value)}
            write={writeCondition}
            onChange={(predicate, json) => set({ predicate, json })}
          />
          {may && (
            <SaveBar
              busy={busy}
              changes={group === null ? null : count}
              onDiscard={() => {
                clear()
                form.discard()
              }}
            >
              {refused.fields.size > 0 && <Note kind="stop">{t('groups.not_saved')}</Note>}
              {fault !== null && refused.fields.size === 0 && refused.context.reason !== 'key_taken' && (
                <Refused fault={refused} {...(group !== null && 'predicate' in change ? { onCopy: () => void copy() } : {})} />
              )}
            </SaveBar>
          )}
        </form>
      </Faults>
      <aside className="trial stack" aria-label={t('groups.preview')}>
        <Members preview={preview} colour={draft.colour} faulty={nested.length > 0} />
      </aside>
    </div>
  )
}
