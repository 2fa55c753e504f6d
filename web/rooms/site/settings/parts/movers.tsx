import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { t } from '../says.ts'

/** Buttons of one item of an ordered list: up, down and, if it can be removed, remove. */
export function Movers(given: {
  /** The item’s name, which the labels of the buttons contain. */
  name: string
  at: number
  length: number
  onMove(by: -1 | 1): void
  onRemove?: (() => void) | undefined
}) {
  const { name, at, length, onMove, onRemove } = given
  return (
    <span className="movers">
      <Button look="quiet" square aria-label={t('settings.up', { name })} disabled={at === 0} onClick={() => onMove(-1)}>
        <span className="turned">
          <Glyph name="down" />
        </span>
      </Button>
      <Button look="quiet" square aria-label={t('settings.down', { name })} disabled={at === length - 1} onClick={() => onMove(1)}>
        <Glyph name="down" />
      </Button>
      {onRemove && (
        <Button look="quiet" square aria-label={t('settings.take_out', { name })} onClick={onRemove}>
          <Glyph name="close" />
        </Button>
      )}
    </span>
  )
}
