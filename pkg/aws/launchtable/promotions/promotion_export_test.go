package promotions

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market/featured"
)

// PlacementItem is the item of a token's placement.
func PlacementItem(p featured.Placement) (map[string]types.AttributeValue, error) {
	return dynamo.NewItem(placementKey(p.Mint), newPlacementItem(p))
}

// PromotionKeys are the keys of a promotion, of its transaction, and of its payment.
func PromotionKeys(p featured.Promotion) []map[string]types.AttributeValue {
	return []map[string]types.AttributeValue{promotionKey(p.ID), issued.Key(p.ID), paymentKey(p.PaidBy, p.PaidAt)}
}
