import '../styles/home.css';
import { Rosette } from '../ui/rosette';

/** The page "There is no such page". */
export function Page() {
  return (
    <>
      <h1>Page not found</h1>
      <div class="card nothing">
        <Rosette seed={location.pathname} letters="404" />
        <span>There is nothing at this address.</span>
        <a class="button" href="/">
          See all tokens
        </a>
      </div>
    </>
  );
}
