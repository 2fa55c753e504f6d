export { type Filter, filters, type Listing, type ListPage, listing } from './queries/listing.ts'
export { countIn, countShown, countUpTo } from './queries/pages.ts'
