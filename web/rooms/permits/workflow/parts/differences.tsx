import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import type { Words } from '../data.ts'
import type { Difference, StepPart } from '../model.ts'
import { stateName, stepName, wordName } from '../names.ts'
import { t } from '../says.ts'

const SIGN = { state_added: '+', step_added: '+', state_removed: '−', step_removed: '−', step_changed: '≠' } as const

type Given = { found: readonly Difference[]; graph: Graph; words: Words }

/** The differences between the site's workflow and the standard one, in words. */
export function Differences(given: Given) {
  return (
    <section className="panel" aria-label={t('workflow.differences')}>
      <header>
        <h2>{t('workflow.differences')}</h2>
      </header>
      {given.found.length === 0 && <p className="soft">{t('workflow.no_differences')}</p>}
      <DifferenceList {...given} />
    </section>
  )
}

/** What differs between two workflows, one line for each state and step. */
export function DifferenceList({ found, graph, words }: Given) {
  const said = (part: StepPart, value: string | readonly string[]): string => {
    if (typeof value === 'string') return part === 'to' ? stateName(graph, words, value) : wordName(words, value)
    return value.length === 0 ? t('common.none') : value.map(one => wordName(words, one)).join(', ')
  }
  return (
    <ul className="differences">
      {found.map(one => {
        const name = 'state' in one ? one.state.label : stepName(graph, words, one.step)
        return (
          <li key={`${one.kind} ${'state' in one ? one.state.key : one.step.key}`}>
            <span className="mono strong" aria-hidden>
              {SIGN[one.kind]}
            </span>
            <span>
              {'state' in one ? t(`workflow.${one.kind}`, { name }) : t(`workflow.${one.kind}`, { step: name })}
              {one.kind === 'step_changed' &&
                one.parts.map(part => (
                  <span key={part} className="soft small part">
                    {t('workflow.part', { part: t(`workflow.${part}`), now: said(part, one.step[part]), was: said(part, one.was[part]) })}
                  </span>
                ))}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
