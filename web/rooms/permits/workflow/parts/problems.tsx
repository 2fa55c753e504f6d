import type { Problem } from '../../../../../shared/lifecycle/flaws.ts'
import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import type { Words } from '../data.ts'
import { wayName } from '../names.ts'
import { t } from '../says.ts'

type Given = { problems: readonly Problem[]; graph: Graph; words: Words; looked: number; onLook(at: number): void }

/** The problems of the graph, in words, with the shortest path that shows each; the selected one is highlighted in the drawing. */
export function Problems({ problems, graph, words, looked, onLook }: Given) {
  if (problems.length === 0) return <Note kind="safe">{t('workflow.sound')}</Note>
  return (
    <Note kind="stop" title={t('workflow.problems', { n: problems.length })}>
      <ol className="problems">
        {problems.map((problem, at) => {
          const way = wayName(graph, words, problem.path ?? [])
          return (
            // Two faults can have the same text for two steps.
            <li key={`${problem.kind} ${problem.state ?? problem.transition ?? problem.primitive} ${problem.detail}`}>
              <span>{problem.detail}</span>
              {way !== '' && (
                <span className="small soft">
                  {t('workflow.path')}: {way}
                </span>
              )}
              {problems.length > 1 && (
                <Button look="quiet" aria-pressed={at === looked} onClick={() => onLook(at)}>
                  {t('workflow.show_path')}
                </Button>
              )}
            </li>
          )
        })}
      </ol>
    </Note>
  )
}
