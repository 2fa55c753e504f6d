export { filters, type Listing, type ListPage, listing } from './queries/listing.ts'
export { countUpTo } from './queries/pages.ts'
