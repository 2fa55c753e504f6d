import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import type { Drawn } from '../drawn.ts'
import { actionName, stateName, stepName, wordName } from '../names.ts'
import { t } from '../says.ts'
import { AddState } from './states.tsx'

/** The same graph without a drawing: every state with its outgoing steps; everything can be done from here. */
export function StepTable({ graph, words, may, lit, idle, hands }: Drawn) {
  return (
    <div className="stack">
      {may && <AddStep graph={graph} hands={hands} />}
      <ul className="lines states" aria-label={t('workflow.states')}>
        {graph.states.map(state => (
          <li key={state.key} className={lit.state === state.key ? 'bad' : ''}>
            <header className="row spread">
              <h3>
                {state.label} <span className="soft small">{t(`workflow.kind.${state.kind}`)}</span>
              </h3>
              {may && state.kind !== 'initial' && (
                <Button look="quiet" onClick={() => hands.removeState(state.key)}>
                  {t('workflow.remove_state', { name: state.label })}
                </Button>
              )}
            </header>
            <ul className="steps">
              {graph.transitions
                .filter(step => step.from === state.key)
                .map(step => {
                  const name = stepName(graph, words, step)
                  return (
                    <li key={step.key} className={lit.steps.has(step.key) ? 'bad' : ''}>
                      <span className="grow">
                        <span className="strong">{actionName(words, step.action)}</span>{' '}
                        <span className="nowrap">→ {step.to === step.from ? t('workflow.stays') : stateName(graph, words, step.to)}</span>
                        {idle.has(step.key) && <span className="badge warn">{t('workflow.never')}</span>}
                        <span className="soft small who">
                          {wordName(words, step.actor)}
                          {step.guards.length > 0 && ` · ${step.guards.map(guard => wordName(words, guard)).join(', ')}`}
                        </span>
                      </span>
                      <span className="row">
                        <Button
                          aria-label={t(may ? 'workflow.edit_one' : 'workflow.show_one', { step: name })}
                          onClick={() => hands.choose(step.key)}
                        >
                          {t(may ? 'common.edit' : 'workflow.show')}
                        </Button>
                        {may && (
                          <Button
                            look="quiet"
                            square
                            aria-label={t('workflow.remove_one', { step: name })}
                            onClick={() => hands.removeStep(step.key)}
                          >
                            <Glyph name="close" />
                          </Button>
                        )}
                      </span>
                    </li>
                  )
                })}
            </ul>
          </li>
        ))}
      </ul>
      {may && <AddState graph={graph} words={words} hands={hands} />}
    </div>
  )
}

function AddStep({ graph, hands }: Pick<Drawn, 'graph' | 'hands'>) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const states = graph.states.map(state => ({ value: state.key, label: state.label }))
  const [first, last] = [graph.states[0]?.key ?? '', graph.states.at(-1)?.key ?? '']
  return (
    <form
      className="add-step"
      aria-label={t('workflow.add_step')}
      onSubmit={event => {
        event.preventDefault()
        hands.addStep(from || first, to || last)
      }}
    >
      <Choice label={t('workflow.from')} value={from || first} options={states} onChange={event => setFrom(event.target.value)} />
      <Choice label={t('workflow.to')} value={to || last} options={states} onChange={event => setTo(event.target.value)} />
      <Button type="submit">
        <Glyph name="plus" />
        {t('workflow.add_step')}
      </Button>
    </form>
  )
}
