// The tools of the map that are open next to it, each loaded when it is first needed.
import type { Map as MapLibre } from 'maplibre-gl'
import { Suspense } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { part } from '../../../../base/part.tsx'
import { useHere } from '../../../../base/site.tsx'
import type { CardPermit } from '../../../permits/permits/door.tsx'
import type { Saved } from '../drawing.ts'
import type { Frame } from '../model.ts'
import { Begun } from '../parts/begun.tsx'
import type { Floor, Scene } from '../scene.ts'
import type { Poi } from '../signs.ts'
import type { Token } from '../tokens.ts'
import type { Area } from './areas.ts'
import type { CutTarget } from './cuts.ts'
import { t } from './says.ts'

const AreaPanel = part(() => import('./area-panel.tsx').then(({ AreaPanel }) => ({ default: AreaPanel })))
const CutPanel = part(() => import('./cut-panel.tsx').then(({ CutPanel }) => ({ default: CutPanel })))
const MeasurePanel = part(() => import('./measure-panel.tsx').then(({ MeasurePanel }) => ({ default: MeasurePanel })))
const CopyWeek = part(() => import('./copy-week.tsx').then(({ CopyWeek }) => ({ default: CopyWeek })))
const GangTray = part(() => import('./gang-tray.tsx').then(({ GangTray }) => ({ default: GangTray })))
const SeedForm = part(() => import('./seed-form.tsx').then(({ SeedForm }) => ({ default: SeedForm })))
const StopPanel = part(() => import('./stop-panel.tsx').then(({ StopPanel }) => ({ default: StopPanel })))
const NearPanel = part(() => import('../parts/near-panel.tsx').then(({ NearPanel }) => ({ default: NearPanel })))
const FillPanel = part(() => import('./fill-panel.tsx').then(({ FillPanel }) => ({ default: FillPanel })))

/** A tool that is open. */
export type Tool =
  | { tool: 'area'; area: Area | null }
  | { tool: 'fill' }
  | { tool: 'measure' }
  | { tool: 'nearest' }
  | { tool: 'stop' }
  | { tool: 'cut'; target: CutTarget }
  | { tool: 'copy' }
  | { tool: 'gangs' }
  | { tool: 'seed'; permit: CardPermit }

type Given = {
  tool: Tool
  map: MapLibre | null
  frame: Frame
  floor: Floor
  scene: Scene
  areas: readonly Area[]
  tokens: readonly Token[]
  points: readonly Poi[]
  chosen: string | null
  now: number
  /** The time that the map shows, if that is ahead, or else now: what is new starts then. */
  shown: number
  /** Closes the tool: with what to say about what was saved, and what to select. */
  onDone(saved: Saved | null, id: string | null): void
}

/** The panel of the open tool. */
export function ToolPanel({ tool, shown, onDone, ...given }: Given) {
  const saved = (made: Saved | null) => onDone(made, made?.id ?? null)
  return (
    <Suspense fallback={<Skeleton rows={3} />}>
      <Begun key={tool.tool} onLeave={() => onDone(null, tool.tool === 'cut' ? tool.target.id : null)}>
        {tool.tool === 'area' && (
          <AreaPanel key={tool.area?.id} {...given} now={tool.area === null ? shown : given.now} area={tool.area} onDone={saved} />
        )}
        {tool.tool === 'fill' && <FillPanel {...given} now={shown} onDone={id => onDone(null, id)} />}
        {tool.tool === 'cut' && (
          <CutPanel key={tool.target.id} {...given} target={tool.target} onDone={() => onDone(null, tool.target.id)} />
        )}
        {tool.tool === 'copy' && <CopyWeek now={given.now} onDone={() => onDone(null, null)} />}
        {tool.tool === 'gangs' && <GangTray {...given} onDone={() => onDone(null, null)} />}
        {tool.tool === 'seed' && <SeedForm {...given} permit={tool.permit} onDone={saved} />}
        {tool.tool === 'stop' && <StopPanel {...given} onDone={id => onDone(null, id)} />}
        {tool.tool === 'nearest' && <NearPanel {...given} onDone={() => onDone(null, null)} />}
        {tool.tool === 'measure' && <MeasurePanel {...given} onDone={() => onDone(null, null)} />}
      </Begun>
    </Suspense>
  )
}

/** What the menu offers besides what is drawn of the frame. */
export function ToolItems({ onTool }: { onTool(tool: Tool): void }) {
  const { canChange } = useHere()
  if (!canChange('map_entity_edit')) return null
  return (
    <>
      <button type="button" className="item" onClick={() => onTool({ tool: 'gangs' })}>
        {t('gang.title')}
      </button>
      <button type="button" className="item" onClick={() => onTool({ tool: 'copy' })}>
        {t('copy.title')}
      </button>
      <button type="button" className="item" onClick={() => onTool({ tool: 'area', area: null })}>
        {t('area.new')}
      </button>
      {canChange('map_entity_edit_any') && (
        <button type="button" className="item" onClick={() => onTool({ tool: 'fill' })}>
          {t('fill.new')}
        </button>
      )}
    </>
  )
}

/** Opens the tool that stops work, for those who can. */
export function StopButton({ onTool }: { onTool(tool: Tool): void }) {
  const { canChange } = useHere()
  if (!canChange('alert_stop')) return null
  return (
    <Button look="danger" onClick={() => onTool({ tool: 'stop' })}>
      <Glyph name="stop" size={16} />
      {t('stop.title')}
    </Button>
  )
}

/** Opens the tools that only look: what help is nearest, and how far something is; for everyone. */
export const LookButtons = ({ onTool }: { onTool(tool: Tool): void }) => (
  <>
    <Button look="quiet" onClick={() => onTool({ tool: 'nearest' })}>
      {t('nearest.open')}
    </Button>
    <Button look="quiet" onClick={() => onTool({ tool: 'measure' })}>
      {t('measure.title')}
    </Button>
  </>
)

/** The tools that begin at the cross of the map. */
export const atCross = (tool: Tool | null): boolean => tool?.tool === 'stop' || tool?.tool === 'nearest'
