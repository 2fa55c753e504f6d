declare module 'qrcode' {
  const QRCode: {
    /** Returns the QR code of a text as SVG. */
    toString(
      text: string,
      options: { type: 'svg'; errorCorrectionLevel?: 'L' | 'M' | 'Q' | 'H'; margin?: number; color?: { dark?: string; light?: string } },
    ): Promise<string>
  }
  export default QRCode
}
