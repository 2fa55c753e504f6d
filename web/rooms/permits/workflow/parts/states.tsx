import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import type { Words } from '../data.ts'
import type { Hands } from '../drawn.ts'
import { t } from '../says.ts'

/** States of the registry that the graph does not have. */
export function AddState({ graph, words, hands }: { graph: Graph; words: Words; hands: Hands }) {
  const missing = words.states.filter(state => !graph.states.some(one => one.key === state.key))
  if (missing.length === 0) return null
  return (
    <div className="row" role="group" aria-label={t('workflow.add_state')}>
      <span className="soft small">{t('workflow.add_state')}</span>
      {missing.map(state => (
        <Button key={state.key} onClick={() => hands.addState(state.key)}>
          <Glyph name="plus" />
          {state.label}
        </Button>
      ))}
    </div>
  )
}
