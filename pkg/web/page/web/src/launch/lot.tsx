import { lot, lotPrice } from '../token/curve/price';

/** A readable price, for a number of tokens that avoids a long row of zeros. */
export function LotPrice(props: { price: string; symbol: string }) {
  const { zeros, name } = lot(props.price);
  return (
    <>
      {name} {props.symbol} for about <strong>{lotPrice(props.price, zeros, 4)} SOL</strong>
    </>
  );
}
