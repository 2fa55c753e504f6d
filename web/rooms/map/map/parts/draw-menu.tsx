import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Empty, Note } from '../../../../base/kit/note.tsx'
import { Menu } from '../../../../base/kit/window.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { type Tool, ToolItems } from '../areas/tools.tsx'
import type { Saved } from '../drawing.ts'
import { t, tOf } from '../says.ts'
import { KINDS, type Kind } from '../sketching.ts'

type DrawMenuGiven = {
  bare: boolean
  /** Null for people who can’t draw, or add points, workers or text. */
  onDraw: ((kind: Kind) => void) | null
  onPoint: (() => void) | null
  onLabel: (() => void) | null
  onToken: ((token: 'worker' | 'plant' | 'delivery') => void) | null
  onTool(tool: Tool): void
}

/** Shows what can be put on the map; on an empty site, the boundary comes first. */
export function DrawMenu({ bare, onDraw, onPoint, onLabel, onToken, onTool }: DrawMenuGiven) {
  if (bare && onDraw !== null)
    return (
      <Button look="primary" onClick={() => onDraw('boundary')}>
        {t('map.draw_first')}
      </Button>
    )
  return (
    <Menu
      label={t('map.add')}
      square={false}
      face={
        <>
          <Glyph name="plus" size={16} />
          {t('map.add')}
        </>
      }
    >
      {onToken !== null && (
        <>
          <button type="button" className="item" onClick={() => onToken('worker')}>
            {t('token.new_worker')}
          </button>
          <button type="button" className="item" onClick={() => onToken('plant')}>
            {t('token.new_plant')}
          </button>
          <button type="button" className="item" onClick={() => onToken('delivery')}>
            {t('delivery.new')}
          </button>
        </>
      )}
      <ToolItems onTool={onTool} />
      {(onDraw === null ? [] : KINDS).map(kind => (
        <button key={kind} type="button" className="item" onClick={() => onDraw?.(kind)}>
          {kind === 'boundary' ? t('draw.kind.boundary') : tOf('kind', kind)}
        </button>
      ))}
      {onPoint !== null && (
        <button type="button" className="item" onClick={onPoint}>
          {t('point.new')}
        </button>
      )}
      {onLabel !== null && (
        <button type="button" className="item" onClick={onLabel}>
          {t('label.new')}
        </button>
      )}
    </Menu>
  )
}

/** A map without a drawing: what this person draws first, and a link back for people who can't draw. */
export function NothingDrawn({ bare, onDraw }: { bare: boolean; onDraw(kind: Kind): void }) {
  const { site_id, canChange } = useHere()
  const kind =
    bare && canChange('site_configure')
      ? 'boundary'
      : canChange('reference_manage')
        ? 'building'
        : canChange('reference_edit')
          ? 'zone'
          : null
  return (
    <Empty
      action={
        kind === null ? (
          <Go className="btn" to={paths.board(site_id)}>
            {t('fault.to_board')}
          </Go>
        ) : (
          <Button onClick={() => onDraw(kind)}>{t(`map.begin.${kind}`)}</Button>
        )
      }
    >
      {t('map.no_frame')}
    </Empty>
  )
}

/** The warnings about what was just saved. */
export function SavedNote({ saved, onClose }: { saved: Saved; onClose(): void }) {
  const { overlaps, unplaced, outside } = saved
  if (overlaps.length === 0 && unplaced === 0 && outside === 0) return null
  return (
    <Note kind="warn" title={overlaps.length > 0 ? t('draw.overlaps') : undefined}>
      {overlaps.length > 0 && (
        <ul className="small">
          {overlaps.map(one => (
            <li key={one.id}>{t('draw.overlap', { name: one.name, n: Math.round(one.overlap_m2) })}</li>
          ))}
        </ul>
      )}
      {outside > 0 && <p>{t('draw.outside_count', { n: outside })}</p>}
      {unplaced > 0 && <p>{t('draw.unplaced', { n: unplaced })}</p>}
      <Button look="quiet" onClick={onClose}>
        {t('common.close')}
      </Button>
    </Note>
  )
}
