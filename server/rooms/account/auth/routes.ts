import { get, post } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { changePassword, deviceSecret, judgeChange, keyOfMyDevices, showMe } from './actions.ts'
import { ChangePassword, DeviceKey, Me } from './schema.ts'

export const routes = [
  get('/auth/me', {
    name: 'user.show_me',
    summary: 'Show the signed-in user',
    says: 'Returns the caller, their active and pending memberships with the permissions of each, and their identity provider.',
    access: { signed_in: true },
    reply: ref(Me),
    handle: ({ ctx }) => showMe(ctx),
  }),
  post('/auth/device-key', {
    name: 'user.device_key',
    summary: 'Get the key for stored data',
    says: 'Returns the key with which the app encrypts what it stores on the caller’s devices, and makes it the first time. It is the same on every device, until the person is erased. The app deletes it from the device when the person signs out.',
    access: { signed_in: true },
    reply: ref(DeviceKey),
    before: ({ ctx }) => deviceSecret(ctx),
    handle: ({ ctx, brought }) => keyOfMyDevices(ctx, brought),
  }),
  post('/auth/change-password', {
    name: 'account.change_password',
    summary: 'Change your password',
    says: 'Changes the password of a built-in account. Ends every other session and emails a confirmation to the person.',
    access: { signed_in: true },
    body: ChangePassword,
    reply: null,
    refuses: ['conflict', 'rate_limited'],
    before: ({ ctx, body, wire }) => judgeChange(ctx, body, wire.address),
    handle: ({ ctx, brought }) => changePassword(ctx, brought),
  }),
]
