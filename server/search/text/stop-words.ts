// Words that say nothing of what a text is about, folded as the index folds; put together here from the function words of
// each grammar: articles, pronouns, prepositions, conjunctions, auxiliaries. They tell languages apart as well.
const LISTS: Record<string, string> = {
  en: `a about above after again against all also am an and any are as at be because been before being below between both
    but by can cannot could did do does doing don down during each few for from further had has have having he her here
    hers herself him himself his how i if in into is it its itself just ll me more most my myself no nor not now of off
    on once only or other our ours ourselves out over own re s same she should so some such t than that the their theirs
    them themselves then there these they this those through to too under until up us ve very was we were what when where
    which while who whom why will with would you your yours yourself yourselves may might must shall upon`,
  de: `aber alle allem allen aller alles als also am an ander andere anderen anderer anderes auch auf aus bei beim bin bis
    bist da damit dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch
    dort du durch ein eine einem einen einer eines er es etwas euch euer eure fur gegen hab habe haben hat hatte hatten
    hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jene jetzt
    kann kein keine keinen keiner konnen konnte machen man mein meine mich mir mit muss musste nach nicht nichts noch nun
    nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst uber um
    und uns unser unter viel vom von vor wahrend war waren warum was weg weil weiter welche welcher wenn wer werde werden
    wie wieder will wir wird wirst wo wollen worden wurde wurden zu zum zur zwar zwischen`,
  fr: `a ai aie ainsi alors au aucun aussi autre aux avait avant avec avoir c ce ceci cela celle celles celui ces cet cette
    ceux chaque chez comme comment d dans de depuis des deux donc dont du elle elles en encore entre est et etaient etait
    ete etre eu fait faire il ils j je jusqu l la le les leur leurs lors lui m ma mais me meme memes mes moi moins mon n
    ne ni nos notre nous on ont ou par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles
    quels qui s sa sans se sera ses si son sont sous sur t ta te tes toi ton tous tout toute toutes tres trop tu un une
    vos votre vous y`,
  es: `a al algo algunas algunos ante antes aqui asi aun aunque cada como con contra cual cuando cuya de del desde donde
    dos durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estado estan estar estas
    este esto estos fue fueron ha habia hace hacia han hasta hay la las le les lo los mas me mi mientras mis mucho muchos
    muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues que quien
    quienes se sea segun ser si sido sin sino sobre solo son su sus tal tambien tanto te tiene tienen todo todos tu tus
    un una unas uno unos usted ustedes y ya yo`,
  it: `a ad agli ai al alla alle allo anche ancora aveva avevano c che chi ci cio come con contro cosa cosi cui d da dagli
    dai dal dalla dalle dallo degli dei del dell della delle dello di dopo dove due e ed era erano essere fa fra gia gli
    ha hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia mie miei mio molto ne negli nei nel nell nella
    nelle nello noi non nostra nostro o ogni ora per perche pero piu poco poi prima puo qual quale quali quando quanto
    quella quelle quelli quello questa queste questi questo qui se sei senza si sia siamo sono sopra sotto sta stata
    stato su sua sue sugli sui sul sulla sulle sullo suo suoi tra tu tua tuo tutta tutti tutto un una uno vi voi`,
  pt: `a ao aos aquela aquele aqueles aquilo as ate cada com como contra da das de dela dele deles depois do dos e ela elas
    ele eles em entre era eram essa essas esse esses esta estao estas estava este estes eu foi foram ha isso isto ja la
    lhe lhes mais mas me mesmo meu meus minha minhas muito na nao nas nem no nos nossa nosso num numa o onde os ou outra
    outras outro outros para pela pelas pelo pelos pode por porque pouco qual quando que quem quer se seja sem sempre ser
    sera seu seus so sob sobre sua suas tal tambem tao te tem ter teu teus todo todos tu tua um uma umas uns voce voces`,
  nl: `aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens en er ge geen
    geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men
    met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw
    van veel voor want waren was wat welke werd wezen wie wij wil worden wordt wordt zal ze zelf zich zij zijn zo zonder
    zou`,
  sv: `alla allt att av bara bli blir blev da dar de dem den denna deras dess dessa det detta dig din dina ditt du dar efter
    ej eller en er ett fran for han hans har hade hennes henne hon honom hur har i icke ingen inom inte jag kan kunde man
    med mellan men mig min mina mitt mot mycket na nagon nagot nagra nar ni nu och om oss pa sa sadan sig sin sina sitta
    ska skall skulle som till under upp ut utan vad var vara varfor varje vem vi vid vilken vilket vill vore at ar an`,
  no: `alle at av bare begge ble bli blir bort bra da de deg dem den denne der dere deres det dette din disse dit du eller en
    enn er et ett etter for fordi fra fri ga ha hadde han hans har hennes her hun hva hvem hver hvilken hvis hvor hvordan
    hvorfor i ikke ikkje inn ingen jeg kan kunne man mange med meg meget mellom men mer min mot mye ma na nar noe noen og
    ogsa om opp oss over pa sa sann seg selv sin sine sitt skal skulle slik som til under ut uten vaere var ved vel vi
    vil ville vart`,
  da: `ad af alle alt anden andet at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter
    eller en end er et for fordi fra ham han hans har havde have hende hendes her hos hun hvad hvem hver hvilken hvis hvor
    hvordan hvorfor i ikke ind ingen jeg jer jo kan kunne man mange med meget mellem men mig min mine mit mod nar ned noget
    nogle nu og ogsa om op os over pa sadan selv sig sin sine sit skal skulle som til ud under var vaere ved vi vil ville
    vor vaeret`,
  fi: `ei eika ei eivat eli emme en et ette han hanen han hanella he heidan hyvin ilman itse ja jo joka jonka jos jossa jota
    joten jotka jotta kaikki kanssa keta kuin kuinka kuka kun kuten me mika mikali mina minka minun minulla missa mita
    miten mitka molemmat mutta myos ne niiden niin niissa niita noin nuo nyt ole olemme olen olet olette oli olivat olla
    ollut on ovat paitsi se sen siella siina siita sina sinun sita tai taman tama tama tassa tasta te teidan toisen tuo
    vaan vai vaikka vain varten viela voi voidaan voivat yli`,
  ru: `а без бы был была были было быть в вам вас ведь во вот все всего всех вы где да даже для до его ее если есть еще же
    за здесь и из или им их к как какая какой ко когда кто ли либо между меня мне можно мой мы на над надо наш не него
    нее нет ни них но ну о об однако он она они оно от очень по под после потому при про раз с сам свою себе себя со так
    также такой там тебя тем теперь то тогда того тоже той только том тот ту ты у уже хотя чего чей чем что чтобы чье чья
    эта эти это этого этой этом этот я`,
};

/** Languages that have a list, in the order of their bits below. */
export const LISTED_LANGUAGES = Object.keys(LISTS);

/** From word to the languages in whose list it is, as bits. */
export const STOP_WORDS: ReadonlyMap<string, number> = readLists();

function readLists(): Map<string, number> {
  const words = new Map<string, number>();
  for (const [i, list] of Object.values(LISTS).entries()) {
    for (const word of list.split(/\s+/)) {
      if (word !== '') words.set(word, (words.get(word) ?? 0) | (1 << i));
    }
  }
  return words;
}
