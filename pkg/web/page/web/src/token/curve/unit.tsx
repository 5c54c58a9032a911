/** The unit of a purchase: the token, or the paid SOL. */
export function Unit(props: {
  name: string;
  symbol: string;
  pays: boolean;
  onPays: (pays: boolean) => void;
}) {
  return (
    <div class="sides">
      {[false, true].map((pays) => (
        <label key={String(pays)}>
          <input
            type="radio"
            name={props.name}
            checked={props.pays === pays}
            onChange={() => props.onPays(pays)}
          />{' '}
          {pays ? 'In SOL' : `In ${props.symbol}`}
        </label>
      ))}
    </div>
  );
}
