
// Added to what MediaWiki's installer wrote.
wfLoadExtension( 'ParserFunctions' );
wfLoadExtension( 'Cite' );
wfLoadSkin( 'Vector' );
$wgDefaultSkin = 'vector';
// Rendered articles are kept in the database, as on a small site.
$wgMainCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_DB;
$wgMessageCacheType = CACHE_DB;
// No background jobs in the measured requests.
$wgJobRunRate = 0;
$wgPingback = false;
$wgEnableEmail = false;
