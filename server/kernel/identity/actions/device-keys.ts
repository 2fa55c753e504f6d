// The key with which the app encrypts what it stores on a person's devices (decision 844). The devices delete it when the person signs out; the service keeps it.
import { randomBytes } from 'node:crypto'
import type { Ctx, House } from '../../../base/ctx.ts'
import { decrypted, encrypted } from '../../../base/encrypt.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { type DeviceKeyRow, deviceKeyRow, insertDeviceKey } from '../queries.ts'
import { platformSecret } from './secrets.ts'

/** A person's key: `id` says which one encrypted a value, `key` is its 32 bytes in base64. */
export type DeviceKey = { id: Id; key: string }

/** Returns the secret that encrypts the keys of people. It is never called within a transaction. */
export const deviceKeySecret = async (house: House): Promise<Buffer> =>
  Buffer.from(String(await platformSecret(house, 'device_keys', async () => randomBytes(32).toString('base64'))), 'base64')

/** Returns the key of a person, made once: of several requests at the same time, all get the same one. */
export async function deviceKeyOf(ctx: Ctx, secret: Buffer, user_id: Id): Promise<DeviceKey> {
  const row = (await deviceKeyRow(ctx.db, user_id)) ?? (await makeDeviceKey(ctx, secret, user_id))
  return { id: row.id, key: decrypted(secret, row.encrypted, about(row)).toString('base64') }
}

const about = ({ user_id, id }: Pick<DeviceKeyRow, 'user_id' | 'id'>) => `${user_id} ${id}`

async function makeDeviceKey(ctx: Ctx, secret: Buffer, user_id: Id): Promise<DeviceKeyRow> {
  const id = ids.next()
  const key = encrypted(secret, randomBytes(32), about({ user_id, id }), ctx.house.settings.algorithms.key_cipher)
  await insertDeviceKey(ctx.db, { user_id, id, encrypted: key, made_at: ctx.now })
  const row = await deviceKeyRow(ctx.db, user_id)
  if (row === null) throw new Error('The key that was just made is missing.')
  return row
}
