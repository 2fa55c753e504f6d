// What other rooms show of the wallet.
export { useWalletComing } from './data.ts'
export { WalletTop } from './parts/top.tsx'
