export type { GivenResource, Resource } from './actions/given.ts'
export { resource } from './actions/resource.ts'
export { insertRows, lockRows, readRows, updateRows } from './queries.ts'
