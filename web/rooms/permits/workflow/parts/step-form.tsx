import { type ReactNode, useId } from 'react'
import { effectsOf } from '../../../../../shared/lifecycle/effects.ts'
import type { Graph, Requirement, Transition } from '../../../../../shared/lifecycle/graph.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, Tick } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import type { Words } from '../data.ts'
import { stepName, wordName } from '../names.ts'
import { t } from '../says.ts'

const REQUIRES: readonly Requirement[] = ['note', 'reason', 'checklist']

type Given = {
  step: Transition
  graph: Graph
  words: Words
  may: boolean
  idle: boolean
  /** Next to the diagram, or in a window over the table. */
  beside: boolean
  onChange(change: Partial<Omit<Transition, 'key'>>): void
  onRemove(): void
  onClose(): void
}

/** One step: action, states, actor, conditions, effects. Changes show in the graph immediately. */
export function StepForm(given: Given) {
  const { step, graph, words, beside, onClose } = given
  const id = useId()
  const title = stepName(graph, words, step)
  if (!beside)
    return (
      <Window title={title} side onClose={onClose}>
        <Fields {...given} />
      </Window>
    )
  return (
    <section className="stack step-form" aria-labelledby={id}>
      <header className="row spread">
        <h3 id={id}>{title}</h3>
        <Button look="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Glyph name="close" />
        </Button>
      </header>
      <Fields {...given} />
    </section>
  )
}

function Fields({ step, graph, words, may, idle, onChange, onRemove, onClose, beside }: Given) {
  const states = graph.states.map(state => ({ value: state.key, label: state.label }))
  const named = (list: readonly { key: string; label: string }[]) => list.map(one => ({ value: one.key, label: wordName(words, one.key) }))
  const says = (list: readonly { key: string; says: string }[], key: string) => list.find(one => one.key === key)?.says
  const set = <T extends string>(list: readonly T[], key: T, on: boolean): T[] => (on ? [...list, key] : list.filter(one => one !== key))
  const usual = words.guards.filter(guard => !guard.opt_in)
  const more = words.guards.filter(guard => guard.opt_in)
  const ticks = (list: readonly { key: string; label: string; says: string }[]): ReactNode =>
    list.map(one => (
      <Tick
        key={one.key}
        label={wordName(words, one.key)}
        hint={one.says}
        disabled={!may}
        checked={step.guards.includes(one.key)}
        onChange={event => onChange({ guards: set(step.guards, one.key, event.target.checked) })}
      />
    ))
  return (
    <>
      {idle && <Note kind="warn">{t('workflow.idle')}</Note>}
      <Choice
        label={t('workflow.action')}
        hint={says(words.actions, step.action)}
        disabled={!may}
        value={step.action}
        options={words.actions.map(one => ({ value: one.key, label: one.label }))}
        onChange={event => onChange({ action: event.target.value })}
      />
      <div className="ends">
        <Choice
          label={t('workflow.from')}
          disabled={!may}
          value={step.from}
          options={states}
          onChange={event => onChange({ from: event.target.value })}
        />
        <Choice
          label={t('workflow.to')}
          disabled={!may}
          value={step.to}
          options={states}
          onChange={event => onChange({ to: event.target.value })}
        />
      </div>
      <Choice
        label={t('workflow.actor')}
        hint={says(words.actors, step.actor)}
        disabled={!may}
        value={step.actor}
        options={named(words.actors)}
        onChange={event => onChange({ actor: event.target.value })}
      />
      <fieldset className="fieldset">
        <legend>{t('workflow.guards')}</legend>
        {ticks(usual.filter(guard => may || step.guards.includes(guard.key)))}
        <p className="small soft">{t('workflow.guards_more')}</p>
        {ticks(more.filter(guard => may || step.guards.includes(guard.key)))}
      </fieldset>
      <fieldset className="fieldset">
        <legend>{t('workflow.requires')}</legend>
        {REQUIRES.map(need => (
          <Tick
            key={need}
            label={t(`workflow.requires.${need}`)}
            disabled={!may}
            checked={step.requires.includes(need)}
            onChange={event => onChange({ requires: set(step.requires, need, event.target.checked) })}
          />
        ))}
      </fieldset>
      <section>
        <h3>{t('workflow.effects')}</h3>
        <ul className="small">
          {effectsOf(step).map(name => (
            <li key={name}>{says(words.effects, name)}</li>
          ))}
        </ul>
      </section>
      <div className="row">
        {may && (
          <Button look="danger" onClick={onRemove}>
            {t('workflow.remove_step')}
          </Button>
        )}
        {!beside && <Button onClick={onClose}>{t('common.close')}</Button>}
      </div>
    </>
  )
}
