import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { hold, kind } from '../../../kernel/records/door.ts'
import { revertVersion } from './actions.ts'
import { type StyleRow, stylesOf } from './queries.ts'

/** The label styles of a site as a record: its newest version, found by the site. `If-Match` compares its number. */
export const labelStyle = kind<StyleRow>({
  name: 'label_style',
  param: 'site_id',
  label: row => `Label styles, version ${row.number}`,
  parent: row => ({ kind: 'site', id: row.site_id }),
  find: async (ctx, site_id, _id, lock) => {
    if (lock) await hold(ctx, 'label styles', site_id)
    const row = await stylesOf(ctx.db, site_id)
    return row === null ? null : { ...row, version: row.number }
  },
  revert: 'version',
  undo: { create: { needs: 'site_configure', take_away: revertVersion } },
})

/** Returns the keys of the text styles of a site. */
export const styleKeys = async (db: Db, site_id: Id): Promise<string[]> =>
  ((await stylesOf(db, site_id))?.document.styles ?? []).map(({ key }) => key)
