export { type Filter, filters, type GivenListing, type Listing, type ListPage, listing } from './queries/listing.ts'
export { type Condition, countUpTo } from './queries/pages.ts'
