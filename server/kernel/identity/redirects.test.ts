import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startIssuer } from '../../../tests/issuer.ts'
import { openTestHouse } from '../../../tests/world.ts'

describe('an external provider that redirects requests', () => {
  test('10.4 a redirect of UserInfo, discovery or keys is not followed, so that no other server receives a token or is trusted', async () => {
    const issuer = await startIssuer()
    const house = await openTestHouse({ OIDC_ISSUER: issuer.url })
    try {
      issuer.service.on('beforeUserinfo', response => {
        response.body = { sub: 'sub-bare', name: 'Bea Bare', email: 'bea@firm.example', email_verified: true }
      })
      // The mock also serves UserInfo at any URL with a query.
      issuer.moved.set('/userinfo', '/userinfo?elsewhere')
      const bare = { name: undefined, email: undefined, email_verified: undefined, sub: 'sub-bare', preferred_username: 'bea' }
      const me = (await house.withToken(await issuer.token(house.house, bare)).get('/auth/me')).body.user
      assert.deepEqual(
        [me.name, me.email, issuer.asked.get('/userinfo'), issuer.asked.get('/userinfo?elsewhere')],
        ['bea', null, 1, undefined],
      )
    } finally {
      await house.close()
      await issuer.stop()
    }
    for (const path of ['/.well-known/openid-configuration', '/jwks']) {
      const other = await startIssuer()
      const node = await openTestHouse({ OIDC_ISSUER: other.url })
      try {
        other.moved.set(path, `${path}?elsewhere`)
        const reply = await node.withToken(await other.token(node.house)).get('/auth/me')
        assert.deepEqual([reply.status, other.asked.get(`${path}?elsewhere`)], [503, undefined], path)
      } finally {
        await node.close()
        await other.stop()
      }
    }
  })
})
