import {
  Background,
  BaseEdge,
  type Connection,
  ConnectionMode,
  Controls,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useNodesState,
} from '@xyflow/react'
import './canvas.css'
import { createContext, memo, useContext, useEffect, useMemo } from 'react'
import type { State, Transition } from '../../../../../shared/lifecycle/graph.ts'
import type { Drawn } from '../drawn.ts'
import { arrowsOf } from '../model.ts'
import { actionName, stepName } from '../names.ts'
import { t } from '../says.ts'
import { AddState } from './states.tsx'
import { arcOf, liftOf, placeOf, SIDES, sidesOf } from './where.ts'

type StateNode = Node<{ state: State; staying: readonly Transition[] }, 'state'>
type ArrowEdge = Edge<{ steps: readonly Transition[] }, 'arrow'>

const Shown = createContext<Drawn | null>(null)
function useDrawn(): Drawn {
  const drawn = useContext(Shown)
  if (drawn === null) throw new Error('useDrawn works only in components below the workflow graph.')
  return drawn
}

const POSITIONS = { top: Position.Top, right: Position.Right, bottom: Position.Bottom, left: Position.Left } as const

/** Steps as buttons, on an arrow or in the state where they stay. */
function Steps({ steps }: { steps: readonly Transition[] }) {
  const { graph, words, chosen, lit, idle, hands } = useDrawn()
  return steps.map(step => (
    <button
      key={step.key}
      type="button"
      className={`step nodrag nopan${lit.steps.has(step.key) ? ' bad' : ''}${idle.has(step.key) ? ' idle' : ''}`}
      aria-pressed={chosen === step.key}
      aria-label={stepName(graph, words, step)}
      onClick={() => hands.choose(step.key)}
    >
      {actionName(words, step.action)}
    </button>
  ))
}

const StateBox = memo(function StateBox({ data }: NodeProps<StateNode>) {
  const { lit, may, hands } = useDrawn()
  const { state, staying } = data
  return (
    <div className={`state-box ${state.kind}${lit.state === state.key ? ' bad' : ''}`}>
      {SIDES.map(side => (
        <Handle
          key={`s-${side}`}
          id={`s-${side}`}
          type="source"
          position={POSITIONS[side]}
          className={`from-${side}`}
          isConnectable={may}
        />
      ))}
      {SIDES.map(side => (
        <Handle
          key={`t-${side}`}
          id={`t-${side}`}
          type="target"
          position={POSITIONS[side]}
          className={`to-${side}`}
          isConnectable={false}
        />
      ))}
      <span className="strong">{state.label}</span>
      <span className="tiny soft">{t(`workflow.kind.${state.kind}`)}</span>
      {staying.length > 0 && (
        <span className="staying">
          <Steps steps={staying} />
        </span>
      )}
      {may && state.kind !== 'initial' && (
        <button
          type="button"
          className="remove nodrag"
          aria-label={t('workflow.remove_state', { name: state.label })}
          onClick={() => hands.removeState(state.key)}
        >
          ×
        </button>
      )}
    </div>
  )
})

const Arrow = memo(function Arrow(props: EdgeProps<ArrowEdge>) {
  const { lit } = useDrawn()
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props
  const [path, x, y] =
    sourcePosition === targetPosition
      ? arcOf(sourcePosition, { x: sourceX, y: sourceY }, { x: targetX, y: targetY })
      : getBezierPath({ ...props, curvature: 0.3 })
  const middle = y - liftOf(props.source, props.target)
  const steps = props.data?.steps ?? []
  const bad = steps.some(step => lit.steps.has(step.key))
  return (
    <>
      <BaseEdge path={path} className={bad ? 'bad' : ''} {...(props.markerEnd === undefined ? {} : { markerEnd: props.markerEnd })} />
      <EdgeLabelRenderer>
        <div className="arrow-steps" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${middle}px)` }}>
          <Steps steps={steps} />
        </div>
      </EdgeLabelRenderer>
    </>
  )
})

// Buttons stay large enough for a finger: when the whole graph doesn't fit, the view starts at its beginning.
const ROOMY = '(min-width: 1100px)'
const AT_DRAFT = { x: 16, y: 60, zoom: 0.9 }

const NODES = { state: StateBox }
const EDGES = { arrow: Arrow }

/** The graph as a drawing: states can be moved, and arrows drawn from the edge of one to another. */
export default function Canvas(drawn: Drawn) {
  const { graph, words, may, hands } = drawn
  const { arrows, staying } = useMemo(() => arrowsOf(graph), [graph])
  const [nodes, setNodes, onNodesChange] = useNodesState<StateNode>([])
  useEffect(() => {
    setNodes(before =>
      graph.states.map(state => ({
        ...(before.find(node => node.id === state.key) ?? { id: state.key, type: 'state' as const, position: placeOf(state.key) }),
        data: { state, staying: staying.get(state.key) ?? [] },
        deletable: false,
      })),
    )
  }, [graph.states, staying, setNodes])
  const edges = useMemo<ArrowEdge[]>(
    () =>
      arrows.map(({ from, to, steps }) => {
        const sides = sidesOf(from, to)
        return {
          id: `${from} ${to}`,
          type: 'arrow',
          source: from,
          target: to,
          sourceHandle: `s-${sides.from}`,
          targetHandle: `t-${sides.to}`,
          data: { steps },
          markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18 },
          focusable: false,
          deletable: false,
        }
      }),
    [arrows],
  )
  return (
    <Shown.Provider value={drawn}>
      <div className="stack tight canvas-side">
        <div className="canvas" role="group" aria-label={t('workflow.canvas')}>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODES}
            edgeTypes={EDGES}
            onNodesChange={onNodesChange}
            onConnect={({ source, target }: Connection) => hands.addStep(source, target)}
            nodesConnectable={may}
            connectionMode={ConnectionMode.Loose}
            nodesFocusable={false}
            edgesFocusable={false}
            {...(matchMedia(ROOMY).matches
              ? { fitView: true, fitViewOptions: { padding: 0.02, minZoom: 0.8 } }
              : { defaultViewport: AT_DRAFT })}
            minZoom={0.2}
            proOptions={{ hideAttribution: true }}
          >
            <Background gap={24} />
            <Controls showInteractive={false} />
          </ReactFlow>
        </div>
        {may && (
          <div className="row spread">
            <span className="soft small">{t('workflow.canvas_hint')}</span>
            <AddState graph={graph} words={words} hands={hands} />
          </div>
        )}
      </div>
    </Shown.Provider>
  )
}
