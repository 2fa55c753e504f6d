import { useEffect } from 'react'
import { asFault } from '../../../../base/fault.ts'
import { useGo } from '../../../../base/go.tsx'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Faults } from '../../../../base/kit/faults.tsx'
import { TextArea, TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { usePermitTypes } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { useWide } from '../../../../base/wide.ts'
import { ConditionField, ruleText, SaveBar } from '../../../messages/rules/door.tsx'
import { groupOf, PAIR_FIELDS, whenOf } from '../condition.ts'
import { changeRule, makeRule } from '../data.ts'
import { canHaveMatrix, changesOf, checkedDraft, contentIn, type Draft, draftOf, matrixIn, newBody, withNote } from '../draft.ts'
import type { OneRule, Profile } from '../model.ts'
import { t } from '../says.ts'
import { Levels, Outcome, Sides, Times } from './fields.tsx'
import { InWords, useRefs } from './in-words.tsx'
import { CellPanel } from './matrix/cell-panel.tsx'
import { MatrixSection } from './matrix/matrix-section.tsx'
import { useChosen } from './matrix/use-chosen.ts'
import { Newer } from './newer.tsx'
import { Preview } from './preview.tsx'

const PAIR = { fields: PAIR_FIELDS, clock: 'now' } as const

type Given = {
  /** The version that is edited; null for a new rule. */
  rule: OneRule | null
  /** The version that the service has now. */
  newest: OneRule | null
  profile: Profile
  /** Goes on with another version of the rule. */
  onTaken(rule: OneRule): void
}

/** A rule in blocks, with its matrix if it has one. Unsaved changes are kept on the device, and are saved together as one version. */
export function RuleForm({ rule, newest, profile, onTaken }: Given) {
  const here = useHere()
  const wide = useWide()
  const go = useGo()
  const types = usePermitTypes(here.site_id)
  const start = draftOf(rule)
  const form = useKeptForm<Draft>(`clash-rule ${rule?.id ?? `new ${profile.id}`}`, start)
  const draft = form.values
  const { busy, fault, send, clear } = useSend()
  const refs = useRefs(here.site_id)
  const may = (rule?.permissions ?? profile.permissions).edit.allowed
  const change = rule === null ? {} : changesOf(rule, draft)
  const count = Object.keys(change).length - ('outcome' in change ? 1 : 0) + outcomeCount(change, draft)
  const moved = rule === null || count > 0
  const finds = Object.keys(change).some(name => name !== 'name' && name !== 'description')
  const found = checkedDraft(rule, draft, refs.known, ruleText('rules.not_json'))
  const refused = asFault(fault)
  const own = new Map(found.faults.map(({ path, message }) => [path, message]))
  const faults = refused.fields.size > 0 ? refused.fields : own
  const set = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    // A matrix is only for permits.
    form.change(next.outcome === 'matrix' && !canHaveMatrix(next) ? { ...part, outcome: 'amber' } : part)
  }
  const codes = (types.data ?? []).filter(type => type.active).map(type => ({ code: type.code, name: type.name }))
  const chosen = useChosen(codes.map(type => type.code))
  const outdated = rule !== null && newest !== null && newest.version > rule.version
  // Nothing was typed: the form shows the newest version without asking.
  useEffect(() => {
    if (outdated && !moved) onTaken(newest)
  })
  const save = () =>
    send(async () => {
      const saved =
        rule === null ? await makeRule(newBody(here.site_id, profile.id, draft)) : await changeRule(rule, withNote(change, draft.note))
      form.sent()
      toast(t('common.saved'))
      if (rule === null) go(paths.clashRule(here.site_id, saved.id), { replace: true })
      else onTaken(saved)
    })
  const matrix = draft.outcome === 'matrix' ? matrixIn(rule, draft) : null
  const cells = { matrix, codes, may, chosen, onChange: (cells: Draft['cells']) => set({ cells }) }
  return (
    <div className="rule-form clash-form">
      <Faults of={faults}>
        <form
          className="stack"
          aria-label={t('clash.form')}
          onSubmit={submitted => {
            submitted.preventDefault()
            void save()
          }}
        >
          <Restored form={form} />
          {outdated && moved && (
            <Newer
              rule={newest}
              from={rule.version}
              onTake={() => {
                clear()
                onTaken(newest)
              }}
            />
          )}
          {matrix !== null && <MatrixSection {...cells} matrix={matrix} />}
          {may && (
            <TextField
              label={t('clash.rule_name')}
              required
              maxLength={200}
              value={draft.name}
              fault={refused.context.reason === 'key_taken' ? refused.message : undefined}
              at="name"
              onChange={typed => set({ name: typed.target.value })}
            />
          )}
          {may && (
            <TextArea
              label={t('clash.description')}
              optional
              rows={2}
              maxLength={2000}
              value={draft.description}
              onChange={typed => set({ description: typed.target.value })}
            />
          )}
          <Sides draft={draft} may={may} set={set} />
          <ConditionField
            about={PAIR}
            value={draft.when}
            json={draft.json}
            may={may}
            faults={faults}
            found={found.faults}
            tried={refused.fields.size > 0}
            hint={t(draft.outcome === 'matrix' ? 'clash.condition_matrix' : 'clash.condition_says')}
            read={groupOf}
            write={whenOf}
            onChange={(when, json) => set({ when, json })}
          />
          <Levels draft={draft} may={may} set={set} />
          <Times draft={draft} may={may} set={set} />
          <Outcome draft={draft} may={may} set={set} />
          {may && (
            <SaveBar
              busy={busy}
              changes={rule === null ? null : count}
              onDiscard={() => {
                clear()
                form.discard()
              }}
            >
              {refused.fields.size > 0 && <Note kind="stop">{t('clash.not_saved')}</Note>}
              {fault !== null && refused.fields.size === 0 && <FaultNote error={fault} />}
              {rule !== null && moved && (
                <TextField
                  label={t('clash.note')}
                  hint={t('clash.note_says')}
                  optional
                  maxLength={500}
                  value={draft.note}
                  onChange={typed => set({ note: typed.target.value })}
                />
              )}
            </SaveBar>
          )}
        </form>
      </Faults>
      <aside className="trial stack" aria-label={t('clash.in_words')}>
        {matrix !== null && wide && <CellPanel {...cells} matrix={matrix} />}
        <InWords rule={rule} draft={draft} faults={found.faults} warnings={found.warnings} refs={refs.named} />
        {may && (
          <Preview rule={rule} content={found.faults.length === 0 ? contentIn(rule, draft) : null} changed={rule === null || finds} />
        )}
      </aside>
    </div>
  )
}

/** Returns how many changes the outcome has: each pair is one, and the usual distance or another kind of outcome is one. */
function outcomeCount(change: object, draft: Draft): number {
  if (!('outcome' in change)) return 0
  const pairs = draft.outcome === 'matrix' ? Object.keys(draft.cells).length : 0
  const { outcome } = change
  const others = typeof outcome === 'object' && outcome !== null && Object.keys(outcome).some(key => key !== 'cells')
  return pairs + (others ? 1 : 0)
}
