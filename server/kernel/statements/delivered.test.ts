import assert from 'node:assert/strict'
import { createDecipheriv, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'
import { PLATFORM } from '../../base/ids.ts'
import { signerOf } from './door.ts'

describe('a key that a vault delivers', () => {
  const house = useHouse()

  test('10.4 the key that encrypts the signing keys can be a link to a file that a vault delivers, and is used as it is', async () => {
    const vault = await mkdtemp(join(tmpdir(), 'walkdown-vault-'))
    const key = randomBytes(32)
    await writeFile(join(vault, 'seal'), `${key.toString('base64')}\n`, { mode: 0o400 })
    const path = join(house.house.data_dir, 'keys', 'seal.key')
    await mkdir(join(house.house.data_dir, 'keys'), { mode: 0o700 })
    await symlink(join(vault, 'seal'), path)

    const { kid } = await signerOf(house.house, PLATFORM)
    assert.ok((await lstat(path)).isSymbolicLink())
    assert.equal((await readFile(path, 'utf8')).trim(), key.toString('base64'))

    // Decrypted here with the delivered key, independently of the service.
    const [row] = await house.rows('select site_id, public_key, sealed from signing_key where kid = $1', [kid])
    const bytes = Buffer.from(row.sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(`${row.site_id} ${kid}`))
    decipher.setAuthTag(bytes.subarray(-16))
    const der = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    const made = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({ format: 'jwk' })
    assert.equal(made.x, row.public_key)
    await rm(vault, { recursive: true })
  })
})
