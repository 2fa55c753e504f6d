// The words of a cell: for screen readers, and for people who see only its sign.
import type { LevelRule } from '../../../../../../shared/conflicts/rules.ts'
import { ANY, type Pair } from '../../matrix.ts'
import { t } from '../../says.ts'

/** A permit type of the site. */
export type TypeName = { code: string; name: string }

/** Returns the name of a type; its code if the site doesn’t use it. */
export const nameOf = (codes: readonly TypeName[], code: string): string =>
  code === ANY ? t('clash.any_type') : (codes.find(one => one.code === code)?.name ?? code)

const levelWords = (levels: LevelRule): string =>
  levels.mode === 'within' ? t('clash.cell.levels.within', { n: levels.max_gap }) : t(`clash.cell.levels.${levels.mode}`)

/** Returns what a pair gives: “red, within 10 m, 1 level”. */
export const givenBy = ({ outcome, distance_m, levels }: Pair): string =>
  outcome === 'off'
    ? t('clash.cell.what_off')
    : t('clash.cell.what', { outcome: t(`clash.cell.${outcome}_word`), m: distance_m, levels: levelWords(levels) })

/** Returns the whole label of a cell: “Hot work with Confined space entry: red, within 10 m, 1 level”. */
export function labelOf(pair: Pair, codes: readonly TypeName[]): string {
  const plain = t('clash.cell.label', { x: nameOf(codes, pair.x), y: nameOf(codes, pair.y), what: givenBy(pair) })
  const followed = pair.own || pair.key === null ? plain : t('clash.cell.follows', { label: plain, key: pair.key })
  return pair.changed ? t('clash.cell.unsaved', { label: followed }) : followed
}
