import { Suspense, useDeferredValue, useMemo, useState } from 'react'
import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { usePlace } from '../../../../base/go.tsx'
import { type Form, useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choices } from '../../../../base/kit/field.tsx'
import { Note, Skeleton } from '../../../../base/kit/note.tsx'
import { part } from '../../../../base/part.tsx'
import { awayOf } from '../../../../base/time.ts'
import type { Definition, Words } from '../data.ts'
import type { Hands } from '../drawn.ts'
import {
  differences,
  idleSteps,
  isSame,
  litBy,
  problemsOf,
  registryOf,
  warningsOf,
  withChange,
  withoutState,
  withoutStep,
  withState,
  withStep,
} from '../model.ts'
import { stepName } from '../names.ts'
import { t } from '../says.ts'
import { BackTest } from './back-test.tsx'
import { DifferenceList, Differences } from './differences.tsx'
import { Problems } from './problems.tsx'
import { Publish } from './publish.tsx'
import { StepForm } from './step-form.tsx'
import { StepTable } from './step-table.tsx'

// The code that draws graphs is large, and the table doesn't need it.
const Canvas = part(() => import('./canvas.tsx'))
const WIDE = '(min-width: 900px)'

type Given = { name: string; definition: Definition; own: boolean; seeded: Definition; words: Words }

const graphOf = ({ states, transitions }: Graph): Graph => ({ states, transitions })

/** The drawing of a workflow, which this device stores until it is published (decision 1069). */
function useDrawing(name: string, definition: Definition) {
  const form: Form<Graph> = useKeptForm(name, graphOf(definition))
  // What the drawing began from: a workflow that someone else has published or removed since doesn't replace what was drawn.
  const [base, setBase] = useState(definition)
  const graph = form.values
  const changed = form.outdated || !isSame(graph, base)
  const newer = form.outdated || base.id !== definition.id || base.revision !== definition.revision
  /** Goes on from the workflow as it is now: with nothing drawn, or with what was drawn before. */
  const goOn = (drawn: Graph) => {
    setBase(definition)
    form.restart(graphOf(definition), drawn)
  }
  const take = () => goOn(graphOf(definition))
  if (newer && (!changed || isSame(graph, definition))) take()
  return {
    ...{ form, base, graph, changed, newer, take },
    keepMine: () => goOn(graph),
    setGraph: (next: Graph) => form.change(graphOf(isSame(next, base) ? base : next)),
  }
}

/** One workflow, as a diagram or a table; checked while it is edited. `name`: what the device stores its drawing under. */
export function Editor({ name, definition, own, seeded, words }: Given) {
  const [place, setPlace] = usePlace()
  const { form: drawing, base, graph, changed, newer, take, keepMine, setGraph } = useDrawing(name, definition)
  const [chosen, setChosen] = useState<string | null>(null)
  const [looked, setLooked] = useState(0)
  const late = useDeferredValue(graph)
  const registry = useMemo(() => registryOf(words), [words])
  const problems = useMemo(() => problemsOf(late, registry), [late, registry])
  const warnings = useMemo(() => warningsOf(late, words.actors), [late, words])
  const idle = useMemo(() => idleSteps(warnings), [warnings])
  const against = useMemo(() => differences(graph, seeded), [graph, seeded])
  const may = own && definition.permissions.edit.allowed
  const view = place.view ?? (matchMedia(WIDE).matches ? 'graph' : 'table')
  const lit = litBy(problems[looked] ?? problems[0])
  const step = graph.transitions.find(one => one.key === chosen)
  const hands: Hands = {
    choose: setChosen,
    addStep(from, to) {
      const made = withStep(graph, seeded, from, to)
      setGraph(made.graph)
      setChosen(made.key)
    },
    removeStep(key) {
      setGraph(withoutStep(graph, key))
      if (chosen === key) setChosen(null)
    },
    addState(key) {
      const state = words.states.find(one => one.key === key)
      if (state !== undefined) setGraph(withState(graph, state))
    },
    removeState(key) {
      setGraph(withoutState(graph, key))
      setChosen(null)
    },
  }
  const form = step !== undefined && (
    <StepForm
      step={step}
      graph={graph}
      words={words}
      may={may}
      idle={idle.has(step.key)}
      beside={view === 'graph'}
      onChange={change => {
        const next = withChange(graph, seeded, step.key, change)
        setGraph(next.graph)
        setChosen(next.key)
      }}
      onRemove={() => hands.removeStep(step.key)}
      onClose={() => setChosen(null)}
    />
  )
  const drawn = { graph, words, may, chosen, lit, idle, hands }
  return (
    <section className="stack" aria-label={definition.name}>
      <div className="row spread">
        <div className="row">
          <h2>{definition.name}</h2>
          {own && (
            <span className={`badge ${definition.version > 0 ? 'act' : 'warn'}`}>
              {definition.version > 0 ? t('workflow.in_force', { n: definition.version }) : t('workflow.not_in_force')}
            </span>
          )}
          {changed && <span className="badge act">{t('workflow.changed')}</span>}
        </div>
        <div className="row">
          {changed && (
            <Button
              onClick={() => {
                take()
                setChosen(null)
              }}
            >
              {t('workflow.discard')}
            </Button>
          )}
          <Choices
            label={t('workflow.view')}
            hidden
            options={[
              { value: 'graph', label: t('workflow.view.graph') },
              { value: 'table', label: t('workflow.view.table') },
            ]}
            value={view}
            onChoose={next => setPlace({ view: next })}
          />
        </div>
      </div>
      {newer && changed && (
        <Note kind="warn" title={t('workflow.newer')}>
          <p>{t(own ? 'workflow.newer_says' : 'workflow.newer_removed')}</p>
          {own && <Button onClick={keepMine}>{t('workflow.keep_mine')}</Button>}
        </Note>
      )}
      {drawing.restored !== null && changed && !newer && (
        <p className="soft small">{t('workflow.restored', { when: awayOf(new Date(drawing.restored).toISOString()) })}</p>
      )}
      <Problems problems={problems} graph={graph} words={words} looked={Math.min(looked, problems.length - 1)} onLook={setLooked} />
      {view === 'graph' ? (
        <div className={`drawing${form === false ? '' : ' open'}`}>
          <Suspense fallback={<Skeleton rows={1} height={520} />}>
            <Canvas {...drawn} />
          </Suspense>
          {form === false ? <p className="soft small">{t('workflow.choose_step')}</p> : <aside className="panel">{form}</aside>}
        </div>
      ) : (
        <>
          <StepTable {...drawn} />
          {form}
        </>
      )}
      <div className="below">
        {!definition.seeded && <Differences found={against} graph={graph} words={words} />}
        <BackTest key={`${base.id} ${base.revision}`} definition={definition} graph={graph} sound={problems.length === 0} words={words} />
      </div>
      {own && (
        <Publish
          definition={definition}
          graph={graph}
          changes={definition.version > 0 && <DifferenceList found={differences(graph, definition)} graph={graph} words={words} />}
          sound={problems.length === 0}
          changed={changed}
          newer={newer}
          onPublished={drawing.sent}
          onRemoved={take}
          warnings={(problems.length === 0 ? warnings : []).map(({ code, detail, transition }) => {
            const at = late.transitions.find(one => one.key === transition)
            return { key: `${code} ${transition ?? ''}`, text: at === undefined ? detail : `${stepName(late, words, at)}: ${detail}` }
          })}
        />
      )}
    </section>
  )
}
