// The files of a plain area's records: who can attach and remove them, and what else a file changes.
import type { Ctx } from '../../../base/ctx.ts'
import { enforce, notFound, refuse, type Verdict } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import {
  adoptEvidence,
  attachEvidence,
  changeEvidence,
  type EvidenceRights,
  removeAllEvidence,
  removeEvidence,
  shownEvidence,
} from '../../evidence/door.ts'
import type { EvidenceHolder } from '../../evidence/kit.ts'
import type { Needs } from '../../lifecycle/door.ts'
import type { Judge } from './steps.ts'

/** What an area says about itself so that its records can hold files. */
export type Holding<Row> = {
  kind: string
  add: Needs
  remove: string
  id_of(row: Row): Id
  site_of(row: Row): Id
  judge(ctx: Ctx): Promise<Judge<Row>>
  /** Returns why no file can be removed in this state of the record; null if files can be. */
  final(row: Row): Verdict
  /** Reports that the record has changed, and gives it a new version. */
  touch(ctx: Ctx, row: Row): Promise<void>
}

/** Makes the functions that attach, adopt, change, remove and list the files of an area's records. */
export function filesOf<Row>(of: Holding<Row>) {
  const owner = (row: Row) => ({ site_id: of.site_of(row), kind: of.kind, id: of.id_of(row) })
  const rights = (judge: Judge<Row>, row: Row): EvidenceRights => ({
    add: judge(of.add, row),
    frozen: of.final(row),
    remove_any: of.remove,
  })
  const all = (ctx: Ctx, rows: readonly Row[], judge: Judge<Row>) => {
    const [first] = rows
    const may = new Map(rows.map(row => [of.id_of(row), rights(judge, row)]))
    return first === undefined
      ? Promise.resolve(new Map<Id, Record<string, unknown>[]>())
      : shownEvidence(ctx, of.site_of(first), of.kind, may)
  }
  /** Does something that needs the right to attach, and returns the file as it is then. */
  const attaching = async (ctx: Ctx, row: Row, work: () => Promise<{ id: Id; made: boolean }>) => {
    const judge = await of.judge(ctx)
    enforce([judge(of.add, row)])
    const { id, made } = await work()
    if (made) await of.touch(ctx, row)
    const shown = (await all(ctx, [row], judge)).get(of.id_of(row))?.find(file => file.id === id) ?? refuse(notFound())
    return { made, shown }
  }
  const routes: Pick<EvidenceHolder<Row>, 'owner' | 'attach' | 'adopt' | 'change' | 'remove'> = {
    owner,
    attach: (ctx, row, file, said) => attaching(ctx, row, () => attachEvidence(ctx, owner(row), file, said)),
    adopt: (ctx, row, { evidence, ...said }) => attaching(ctx, row, () => adoptEvidence(ctx, owner(row), evidence, said)),
    async change(ctx, row, id, change) {
      const work = async () => ({ id, made: await changeEvidence(ctx, owner(row), id, change) })
      return (await attaching(ctx, row, work)).shown
    },
    async remove(ctx, row, id) {
      await removeEvidence(ctx, owner(row), id, rights(await of.judge(ctx), row))
      await of.touch(ctx, row)
    },
  }
  return { routes, all, remove_all: (ctx: Ctx, row: Row) => removeAllEvidence(ctx, owner(row)) }
}
